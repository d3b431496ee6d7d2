package io.chimera.processor.staging;

import io.chimera.api.HotPath;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.Entries;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.GroupKey;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PartialFlyweight;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.processor.staging.warehouse.Definitions;
import io.chimera.processor.staging.warehouse.Warehouse;
import org.agrona.DirectBuffer;

/**
 * Folds the records of a frame into a warehouse: checks each entry, adds definitions to the dictionary and aggregates
 * the fields of records, all in place. Names and keys are read only at their definition; the cost of a record depends
 * on its length and its values. The hot path of a processor. Staging's thread.
 */
final class FrameFolder {
    /** Result for a frame. */
    enum Result {
        FOLDED,
        /** An entry is truncated or undefined, or the number of records differs from the header. */
        BROKEN,
        /** The warehouse is at its limit. */
        FULL
    }

    private final Counters<ProcessorCounter> counters;
    private final PoisonGuard guard;
    private final SeriesFlyweight series = new SeriesFlyweight();
    private final FieldsFlyweight fields = new FieldsFlyweight();
    private final RecordFlyweight record = new RecordFlyweight();
    private final PartialFlyweight partial = new PartialFlyweight();

    private Warehouse warehouse;
    private Dictionary dictionary;
    private Pipeline pipeline;
    private long earliestNs;
    private boolean isCareful;

    private int copies;
    private int combined;
    private long checksum;
    private long aggregated;
    private long late;
    private long rejected;

    FrameFolder(Counters<ProcessorCounter> counters, PoisonGuard guard) {
        this.counters = counters;
        this.guard = guard;
    }

    /**
     * Folds a DATA frame.
     *
     * @param frame begins at index 0
     * @param length length of the frame in bytes
     * @param part gets the accounts after the whole frame was folded; to be dropped otherwise
     * @param newPipeline of the frame; the part has a warehouse and a dictionary for the pipeline
     * @param newEarliestNs earliest time; records before are late
     * @param newIsCareful whether each record is rehearsed before folding
     */
    @HotPath
    Result fold(
            DirectBuffer frame,
            int length,
            StagedPart part,
            Pipeline newPipeline,
            long newEarliestNs,
            boolean newIsCareful) {
        pipeline = newPipeline;
        warehouse = part.warehouse(pipeline.ordinal());
        dictionary = part.dictionary(pipeline.ordinal());
        earliestNs = newEarliestNs;
        isCareful = newIsCareful;
        copies = 0;
        combined = 0;
        checksum = 0;
        aggregated = 0;
        late = 0;
        rejected = 0;
        int position = PartFrame.HEADER_LENGTH;
        while (position < length) {
            Result result = take(frame, position, length - position);
            if (result != Result.FOLDED) {
                return result;
            }
            position += Entries.length(frame, position);
        }
        if (copies != PartFrame.count(frame, 0)) {
            return Result.BROKEN;
        }
        part.folded(copies, checksum, aggregated, late, rejected);
        counters.add(ProcessorCounter.STAGING_COPIES, copies);
        counters.add(ProcessorCounter.STAGING_COPIES_COMBINED, combined);
        counters.add(ProcessorCounter.STAGING_POINTS, aggregated);
        counters.add(ProcessorCounter.STAGING_POINTS_LATE, late);
        counters.add(ProcessorCounter.STAGING_POINTS_REJECTED, rejected);
        return Result.FOLDED;
    }

    private Result take(DirectBuffer frame, int position, int available) {
        if (available < BodyLayout.RESET_LENGTH) {
            return Result.BROKEN;
        }
        return switch (Entries.kind(frame, position)) {
            case BodyLayout.RECORD -> takeRecord(frame, position, available);
            case BodyLayout.SERIES -> takeSeries(frame, position, available);
            case BodyLayout.FIELDS -> takeFields(frame, position, available);
            case BodyLayout.RESET -> takeReset(frame, position);
            case BodyLayout.PARTIAL -> takePartial(frame, position, available);
            default -> Result.BROKEN;
        };
    }

    private Result takeRecord(DirectBuffer frame, int position, int available) {
        if (!record.wrap(frame, position).hasHeader(available)) {
            return Result.BROKEN;
        }
        int number = record.series();
        int group = dictionary.group(number);
        int set = dictionary.fields(record.fields());
        if (group == Warehouse.NONE || set == Warehouse.NONE || !isWhole(set)) {
            return Result.BROKEN;
        }
        copies++;
        checksum += PartFrame.recordChecksum(dictionary.keyHash(number), record);
        int primary = record.isPrimary() ? 1 : 0;
        if (record.timeNs() < earliestNs) {
            late += primary;
            return Result.FOLDED;
        }
        if (group == Dictionary.REJECTED || set == Dictionary.REJECTED || record.length() == BodyLayout.VALUES) {
            rejected += primary;
            return Result.FOLDED;
        }
        if (isCareful && !isAdmitted(number, group, set)) {
            rejected += primary;
            return Result.FOLDED;
        }
        aggregated += primary;
        return fold(number, group == Dictionary.PENDING ? newGroup(number) : group, set);
    }

    private Result takePartial(DirectBuffer frame, int position, int available) {
        if (!partial.wrap(frame, position).hasHeader(available) || !warehouse.takesPartials()) {
            return Result.BROKEN;
        }
        int number = partial.series();
        int group = dictionary.group(number);
        int set = dictionary.fields(partial.fields());
        if (group == Warehouse.NONE || set == Warehouse.NONE) {
            return Result.BROKEN;
        }
        copies += partial.records();
        combined += partial.records();
        checksum += partial.checksum();
        if (group == Dictionary.REJECTED || set == Dictionary.REJECTED) {
            rejected += partial.primary();
            return Result.FOLDED;
        }
        fields.wrap(warehouse.definitions().buffer(set), warehouse.definitions().offset(set));
        if (!partial.isWhole(fields.count())) {
            return Result.BROKEN;
        }
        aggregated += partial.primary();
        int plan = plan(number, group == Dictionary.PENDING ? newGroup(number) : group, set);
        if (plan == Warehouse.NONE) {
            return Result.FULL;
        }
        warehouse.merge(plan, partial);
        return Result.FOLDED;
    }

    private boolean isAdmitted(int number, int group, int set) {
        int known = group == Dictionary.PENDING ? Warehouse.NONE : group;
        return guard.admits(record, warehouse, known, set, dictionary.definition(number), pipeline);
    }

    /**
     * Returns whether a record has the length required by its fields. Records of a rejected set of fields are rejected
     * with any length.
     */
    private boolean isWhole(int set) {
        int length = dictionary.recordLength(record.fields());
        if (length != Dictionary.WITH_BYTES) {
            return record.length() == length;
        }
        return set == Dictionary.REJECTED
                || record.isWhole(fields.wrap(
                        warehouse.definitions().buffer(set),
                        warehouse.definitions().offset(set)));
    }

    /** Returns the group for the first record of a series; another series may have created the group meanwhile. */
    private int newGroup(int number) {
        int definition = dictionary.definition(number);
        GroupKey key = pipeline.groupKey();
        key.of(series.wrap(
                warehouse.definitions().buffer(definition),
                warehouse.definitions().offset(definition)));
        int group = warehouse.group(key);
        dictionary.group(number, group);
        return group;
    }

    private Result fold(int number, int group, int set) {
        int plan = plan(number, group, set);
        return plan != Warehouse.NONE && warehouse.fold(plan, record) ? Result.FOLDED : Result.FULL;
    }

    /** Returns the plan of a group and a set of fields; NONE when a limit is reached or without a group. */
    private int plan(int number, int group, int set) {
        if (group == Warehouse.NONE) {
            return Warehouse.NONE;
        }
        int guess = dictionary.plan(number);
        int plan = warehouse.plan(group, set, guess);
        if (plan != Warehouse.NONE && plan != guess) {
            dictionary.plan(number, plan);
        }
        return plan;
    }

    private Result takeSeries(DirectBuffer frame, int position, int available) {
        if (!series.wrap(frame, position).isNext(available, dictionary.seriesCount())) {
            return Result.BROKEN;
        }
        boolean isTooLong = series.length() > Definitions.LENGTH_MAX;
        int group = isTooLong ? Dictionary.REJECTED : knownGroup();
        int definition = Warehouse.NONE;
        // kept for the group, or for the dead letter of a bad point
        if (group == Dictionary.PENDING || (isCareful && !isTooLong)) {
            definition = warehouse.definitions().keep(series);
            if (definition == Warehouse.NONE) {
                return Result.FULL;
            }
        }
        return dictionary.defineSeries(series.keyHash(), group, definition) ? Result.FOLDED : Result.FULL;
    }

    private int knownGroup() {
        GroupKey key = pipeline.groupKey();
        key.of(series);
        int group = warehouse.groups().find(key.hash(), key.buffer(), key.offset(), key.length());
        return group == Warehouse.NONE ? Dictionary.PENDING : group;
    }

    private Result takeFields(DirectBuffer frame, int position, int available) {
        if (!fields.wrap(frame, position).isNext(available, dictionary.fieldsCount())) {
            return Result.BROKEN;
        }
        boolean isKept = fields.length() <= Definitions.LENGTH_MAX;
        int set = isKept ? warehouse.definitions().keep(fields) : Dictionary.REJECTED;
        if (set == Warehouse.NONE) {
            return Result.FULL;
        }
        int recordLength = fields.hasBytes() ? Dictionary.WITH_BYTES : BodyLayout.VALUES + 8 * fields.count();
        return dictionary.defineFields(set, recordLength) ? Result.FOLDED : Result.FULL;
    }

    private Result takeReset(DirectBuffer frame, int position) {
        if (!Entries.isReset(frame, position)) {
            return Result.BROKEN;
        }
        dictionary.forget();
        return Result.FOLDED;
    }
}
