package io.chimera.queue.dispatch;

import io.chimera.api.ColdPath;
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
 * Pre-aggregates the records of hot series in one body of a pass: after a number of records of a series, further
 * records with the same field set that are not late are merged into a partial. The choice depends only on the records
 * of the part and their order, so a retransmission gives the same partials. The channel manager's thread; allocates
 * when a series becomes hot.
 */
final class HotSeries {
    /**
     * Maximum number of hot series at a time; 43 KiB with ten fields. Further series in the same part of a shard are
     * not hot.
     */
    static final int SERIES_MAX = 64;

    /**
     * Maximum number of fields of a pre-aggregated record. A partial must fit in a frame, and takes at most an eighth
     * of a frame.
     */
    private static final int FIELDS_MAX = 128;

    private final int combineAfter;
    private final long earliestNs;

    /** Number of records sent so far, by the number of the series in the body. The count stops at the threshold. */
    private int[] recordsOf = new int[64];

    /** Index of the partial plus one, by the number of the series in the body. */
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
     * Creates an instance without hot series.
     *
     * @param combineAfter number of records of a series to send before pre-aggregation starts
     * @param earliestNs records before this time are late and sent unchanged
     */
    HotSeries(int combineAfter, long earliestNs) {
        this.combineAfter = combineAfter;
        this.earliestNs = earliestNs;
    }

    /** Counts a record that was sent unchanged. */
    @HotPath
    void sent(int series) {
        if (series >= recordsOf.length) {
            recordsOf = Arrays.copyOf(recordsOf, Math.max(series + 1, 2 * recordsOf.length));
            partialOf = Arrays.copyOf(partialOf, recordsOf.length);
        }
        recordsOf[series]++;
    }

    /**
     * Merges a record into the partial of its series, if the series is hot and the record qualifies.
     *
     * @param series number of the series in the body
     * @return whether the record was merged
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

    @ColdPath
    private Partial begin(PassEntries entries, int series) {
        FieldsFlyweight fields = entries.fields();
        if (count == SERIES_MAX || fields.count() > FIELDS_MAX || hasHistogram(fields)) {
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

    /** Returns whether any field is a histogram, whose values a partial cannot take. */
    private static boolean hasHistogram(FieldsFlyweight fields) {
        int field = fields.first();
        for (int i = fields.count(); i > 0; i--) {
            if (fields.type(field) == FieldType.HISTOGRAM.code()) {
                return true;
            }
            field = fields.next(field);
        }
        return false;
    }

    /** Whether no partial is left to write. */
    boolean isEmpty() {
        return count == 0;
    }

    /** Length in bytes of the partial to be written next. */
    int nextLength() {
        return PartialFlyweight.lengthOf(partials.get(count - 1).fieldCount);
    }

    /** Number of records in the partial to be written next. */
    int nextRecords() {
        return partials.get(count - 1).records;
    }

    /** Field set number, within the pass, of the partial to be written next. */
    int nextFields() {
        return partials.get(count - 1).fieldsOfPass;
    }

    /** Writes a partial; the series that became hot last comes first. */
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

    /** Restarts the record counts, because all numbers restart. All partials must be written before. */
    void reset() {
        Arrays.fill(recordsOf, 0);
    }
}
