package io.chimera.processor.staging.composer;

import io.chimera.api.HotPath;
import io.chimera.common.composition.Composition;
import io.chimera.common.composition.PointFlyweight;
import io.chimera.common.composition.ShardKeys;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.Entries;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.GroupKey;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.common.wire.SeriesHash;
import io.chimera.processor.pipeline.ProcessorComposition;
import io.chimera.processor.staging.warehouse.KeptEntries;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.LongSupplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Passes the records of a part to blocks, each record with its partition; for a pipeline with keys, once for each key
 * with a wanted partition. One thread; allocates only when a part has more definitions than the parts before.
 */
final class EntryWalk {
    private static final int ROOM_FIRST = 64;
    private static final int NONE = -1;

    private final GroupKey groupKey;
    private final int partitions;
    private final ShardKeys keys;
    private final LongSupplier faults;
    private final SeriesFlyweight series = new SeriesFlyweight();
    private final FieldsFlyweight fields = new FieldsFlyweight();
    private final RecordFlyweight record = new RecordFlyweight();
    private final PointFlyweight point = new PointFlyweight();

    /** Places of series, by number of the definition. */
    private long[] seriesPlaces = new long[ROOM_FIRST];

    private int[] partitionOf = new int[ROOM_FIRST];
    private long[] fieldsPlaces = new long[ROOM_FIRST];

    /** Number of the previous record's set of fields; NONE after a definition of fields. */
    private int lastFields;

    private long late;
    private long rejected;

    /**
     * Creates a walk.
     *
     * @param groupKey its hash decides the partition of a pipeline without keys
     * @param after source of the number of partitions and of the keys
     * @param faults number of exceptions thrown by blocks so far
     */
    EntryWalk(GroupKey groupKey, ProcessorComposition after, LongSupplier faults) {
        this.groupKey = groupKey;
        partitions = after.partitions();
        keys = after.keys();
        this.faults = faults;
    }

    /** Resets the accounts. */
    void begin() {
        late = 0;
        rejected = 0;
    }

    /**
     * Passes the records of a part to the blocks, in order.
     *
     * @param entries of the part
     * @param earliestNs earliest time; records before are late
     * @param wanted wanted partitions; without keys all records belong to wanted partitions
     */
    @HotPath
    void walk(KeptEntries entries, long earliestNs, BitSet wanted, Composition blocks) {
        lastFields = NONE;
        for (int chunk = 0; chunk < entries.chunks(); chunk++) {
            UnsafeBuffer buffer = entries.chunk(chunk);
            for (int offset = 0; KeptEntries.isEntry(buffer, offset); offset += Entries.length(buffer, offset)) {
                switch (Entries.kind(buffer, offset)) {
                    case BodyLayout.SERIES -> define(series.wrap(buffer, offset), KeptEntries.place(chunk, offset));
                    case BodyLayout.FIELDS -> define(fields.wrap(buffer, offset), KeptEntries.place(chunk, offset));
                    case BodyLayout.RECORD -> give(entries, record.wrap(buffer, offset), earliestNs, wanted, blocks);
                    default -> {} // A reset restarts the numbers; each number is defined before its use.
                }
            }
        }
    }

    private void define(SeriesFlyweight definition, long place) {
        int number = definition.number();
        if (number >= seriesPlaces.length) {
            int room = Math.max(number + 1, 2 * seriesPlaces.length);
            seriesPlaces = Arrays.copyOf(seriesPlaces, room);
            partitionOf = Arrays.copyOf(partitionOf, room);
        }
        seriesPlaces[number] = place;
        if (keys == null) {
            groupKey.of(definition);
            partitionOf[number] = SeriesHash.shard(groupKey.hash(), partitions);
        }
    }

    private void define(FieldsFlyweight definition, long place) {
        int number = definition.number();
        if (number >= fieldsPlaces.length) {
            fieldsPlaces = Arrays.copyOf(fieldsPlaces, Math.max(number + 1, 2 * fieldsPlaces.length));
        }
        fieldsPlaces[number] = place;
        lastFields = NONE;
    }

    @HotPath
    private void give(KeptEntries entries, RecordFlyweight given, long earliestNs, BitSet wanted, Composition blocks) {
        int primary = given.isPrimary() ? 1 : 0;
        if (given.timeNs() < earliestNs) {
            late += primary;
            return;
        }
        long seriesPlace = seriesPlaces[given.series()];
        long fieldsPlace = fieldsPlaces[given.fields()];
        series.wrap(entries.buffer(seriesPlace), KeptEntries.offset(seriesPlace));
        fields.wrap(entries.buffer(fieldsPlace), KeptEntries.offset(fieldsPlace));
        long before = faults.getAsLong();
        if (given.fields() == lastFields) {
            point.wrapNext(series, fields, given);
        } else {
            point.wrap(series, fields, given);
            lastFields = given.fields();
        }
        if (keys == null) {
            blocks.apply(point, partitionOf[given.series()]);
        } else {
            giveByKeys(wanted, blocks);
        }
        if (faults.getAsLong() != before) {
            rejected += primary;
        }
    }

    @HotPath
    private void giveByKeys(BitSet wanted, Composition blocks) {
        for (int key = 0; key < keys.count(); key++) {
            int partition = keys.partition(point, key);
            if (partition != ShardKeys.NONE && wanted.get(partition)) {
                blocks.apply(point.by(key), partition);
            }
        }
    }

    /** Returns the number of late data points since {@link #begin}. */
    long late() {
        return late;
    }

    /** Returns the number of data points since {@link #begin} at which a block threw, directly or at derived points. */
    long rejected() {
        return rejected;
    }
}
