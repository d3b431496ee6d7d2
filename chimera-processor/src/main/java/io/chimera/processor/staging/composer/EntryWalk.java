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
import io.chimera.processor.After;
import io.chimera.processor.staging.warehouse.KeptEntries;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.LongSupplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Gives the records of a part to blocks, each with its partition, or where the pipeline has keys, once for each key whose partition
 * is wanted. One thread; allocates where it meets more definitions.
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

    /** By number of the definition. */
    private long[] seriesPlaces = new long[ROOM_FIRST];

    private int[] partitionOf = new int[ROOM_FIRST];
    private long[] fieldsPlaces = new long[ROOM_FIRST];

    /** The set of fields of the record before, unless one was defined since. */
    private int lastFields;

    private long late;
    private long rejected;

    /**
     * A walk over nothing yet.
     *
     * @param groupKey whose hash decides the partition where there are no keys
     * @param after says of partitions and keys
     * @param faults how often blocks have thrown
     */
    EntryWalk(GroupKey groupKey, After after, LongSupplier faults) {
        this.groupKey = groupKey;
        partitions = after.partitions();
        keys = after.keys();
        this.faults = faults;
    }

    /** Forgets the accounts. */
    void begin() {
        late = 0;
        rejected = 0;
    }

    /**
     * Gives the records of a part, in their order.
     *
     * @param entries of the part
     * @param earliestNs records before it are late
     * @param wanted partitions; where there are no keys all records are of these
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
                    default -> {} // numbers begin anew; each is defined before it is used
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

    /** Data points too old since the begin. */
    long late() {
        return late;
    }

    /** Data points since the begin at which a block threw, or at what became of them. */
    long rejected() {
        return rejected;
    }
}
