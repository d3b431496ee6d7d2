package io.chimera.processor.staging.composer;

import io.chimera.api.HotPath;
import io.chimera.common.composition.Composition;
import io.chimera.common.composition.PointFlyweight;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.Entries;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.GroupKey;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.common.wire.SeriesHash;
import io.chimera.processor.staging.warehouse.KeptEntries;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.agrona.concurrent.UnsafeBuffer;

/** Gives the records of a part to blocks, each with its partition. One thread; allocates where it meets more definitions. */
final class EntryWalk {
    private static final int ROOM_FIRST = 64;

    private final GroupKey groupKey;
    private final int partitions;
    private final LongSupplier faults;
    private final SeriesFlyweight series = new SeriesFlyweight();
    private final FieldsFlyweight fields = new FieldsFlyweight();
    private final RecordFlyweight record = new RecordFlyweight();
    private final PointFlyweight point = new PointFlyweight();

    /** By number of the definition. */
    private long[] seriesPlaces = new long[ROOM_FIRST];

    private int[] partitionOf = new int[ROOM_FIRST];
    private long[] fieldsPlaces = new long[ROOM_FIRST];

    private long late;
    private long rejected;

    /**
     * A walk over nothing yet.
     *
     * @param groupKey whose hash decides the partition
     * @param partitions how many there are
     * @param faults how often blocks have thrown
     */
    EntryWalk(GroupKey groupKey, int partitions, LongSupplier faults) {
        this.groupKey = groupKey;
        this.partitions = partitions;
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
     */
    @HotPath
    void walk(KeptEntries entries, long earliestNs, Composition blocks) {
        for (long place = entries.first(); place != KeptEntries.NONE; place = entries.next(place)) {
            UnsafeBuffer buffer = entries.buffer(place);
            int offset = KeptEntries.offset(place);
            switch (Entries.kind(buffer, offset)) {
                case BodyLayout.SERIES -> define(series.wrap(buffer, offset), place);
                case BodyLayout.FIELDS -> define(fields.wrap(buffer, offset), place);
                case BodyLayout.RECORD -> give(entries, record.wrap(buffer, offset), earliestNs, blocks);
                default -> {} // numbers begin anew; each is defined before it is used
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
        groupKey.of(definition);
        seriesPlaces[number] = place;
        partitionOf[number] = SeriesHash.shard(groupKey.hash(), partitions);
    }

    private void define(FieldsFlyweight definition, long place) {
        int number = definition.number();
        if (number >= fieldsPlaces.length) {
            fieldsPlaces = Arrays.copyOf(fieldsPlaces, Math.max(number + 1, 2 * fieldsPlaces.length));
        }
        fieldsPlaces[number] = place;
    }

    private void give(KeptEntries entries, RecordFlyweight given, long earliestNs, Composition blocks) {
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
        blocks.apply(point.wrap(series, fields, given), partitionOf[given.series()]);
        if (faults.getAsLong() != before) {
            rejected += primary;
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
