package io.chimera.queue.dispatch;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.common.wire.AggregateBlock;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PartialFlyweight;
import io.chimera.common.wire.RecordFlyweight;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Puts the records of series that have many together, in one body of a pass: of each such series those that come behind the
 * first so many, where they have the fields that the first of these has and are not late. Which those are depends on the
 * records of the part and their order, and on nothing else, so sending them again gives the same. The channel manager's
 * thread; allocates where a series becomes hot.
 */
final class HotSeries {
    /** Series that are put together at one time; of ten fields 43 KiB. More than that in one part of a shard are not hot. */
    static final int SERIES_MAX = 64;

    /** Records with more fields are sent as they are: a partial fits in a frame, of which it takes an eighth. */
    private static final int FIELDS_MAX = 128;

    private final int combineAfter;
    private final long earliestNs;

    /** Records so far, by the number of the series in the body; behind the threshold it is passed no more. */
    private int[] recordsOf = new int[64];

    /** One more than the index of the partial, by the number of the series in the body. */
    private int[] partialOf = new int[64];

    private final List<Partial> partials = new ArrayList<>();
    private int count;

    private static final class Partial {
        private final UnsafeBuffer blocks = new UnsafeBuffer(new byte[0]);
        private int[] types = new int[0];
        private int series;
        private int fieldsOfPass;
        private int fieldCount;
        private int records;
        private int primary;
        private long checksum;
    }

    /**
     * Nothing is hot yet.
     *
     * @param combineAfter records of a series that are sent before further ones are put together
     * @param earliestNs records before it are late, and sent as they are
     */
    HotSeries(int combineAfter, long earliestNs) {
        this.combineAfter = combineAfter;
        this.earliestNs = earliestNs;
    }

    /** A record was sent as it is. */
    @HotPath
    void sent(int series) {
        if (series >= recordsOf.length) {
            recordsOf = Arrays.copyOf(recordsOf, Math.max(series + 1, 2 * recordsOf.length));
            partialOf = Arrays.copyOf(partialOf, recordsOf.length);
        }
        recordsOf[series]++;
    }

    /**
     * Takes a record, if it is one to be put together with others.
     *
     * @param series its number in the body
     * @return whether it was taken
     */
    @HotPath
    boolean take(PassEntries entries, int series, boolean isPrimary) {
        RecordFlyweight record = entries.record();
        if (series >= recordsOf.length
                || recordsOf[series] < combineAfter
                || record.timeNs() < earliestNs
                || record.length() == BodyLayout.VALUES) {
            return false;
        }
        Partial partial = partialOf[series] == 0 ? begin(entries, series) : partials.get(partialOf[series] - 1);
        if (partial == null || partial.fieldsOfPass != entries.fieldsNumber()) {
            return false;
        }
        for (int i = 0; i < partial.fieldCount; i++) {
            int type = partial.types[i];
            if (type == FieldType.TEXT.code()) {
                AggregateBlock.foldText(partial.blocks, AggregateBlock.LENGTH * i);
            } else {
                AggregateBlock.fold(partial.blocks, AggregateBlock.LENGTH * i, record.asDouble(i, type));
            }
        }
        partial.records++;
        partial.primary += isPrimary ? 1 : 0;
        partial.checksum += PartFrame.recordChecksum(entries.keyHash(), record);
        return true;
    }

    private Partial begin(PassEntries entries, int series) {
        FieldsFlyweight fields = entries.fields();
        if (count == SERIES_MAX || fields.count() > FIELDS_MAX) {
            return null;
        }
        if (count == partials.size()) {
            partials.add(new Partial());
        }
        Partial partial = partials.get(count++);
        partialOf[series] = count;
        partial.series = series;
        partial.fieldsOfPass = entries.fieldsNumber();
        partial.fieldCount = fields.count();
        partial.records = 0;
        partial.primary = 0;
        partial.checksum = 0;
        if (partial.types.length < partial.fieldCount) {
            partial.types = new int[partial.fieldCount];
            partial.blocks.wrap(new byte[AggregateBlock.LENGTH * partial.fieldCount]);
        }
        int field = fields.first();
        for (int i = 0; i < partial.fieldCount; i++) {
            partial.types[i] = fields.type(field);
            AggregateBlock.clear(partial.blocks, AggregateBlock.LENGTH * i);
            field = fields.next(field);
        }
        return partial;
    }

    /** Whether anything was put together that is not written yet. */
    boolean isEmpty() {
        return count == 0;
    }

    /** Bytes of the entry that is written next. */
    int nextLength() {
        return PartialFlyweight.lengthOf(partials.get(count - 1).fieldCount);
    }

    /** Records in the entry that is written next. */
    int nextRecords() {
        return partials.get(count - 1).records;
    }

    /** Number in the pass of the set of fields of the entry that is written next. */
    int nextFields() {
        return partials.get(count - 1).fieldsOfPass;
    }

    /** Writes an entry; those that became hot last come first. */
    void writeNext(MutableDirectBuffer to, int at, int fields) {
        Partial partial = partials.get(--count);
        partialOf[partial.series] = 0;
        PartialFlyweight.put(
                to,
                at,
                partial.series,
                fields,
                partial.records,
                partial.primary,
                partial.checksum,
                partial.fieldCount,
                partial.blocks);
    }

    /** All numbers begin anew; everything is written. */
    void reset() {
        Arrays.fill(recordsOf, 0);
    }
}
