package io.chimera.processor.staging;

import io.chimera.api.HotPath;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.GroupKey;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.processor.Pipeline;
import io.chimera.processor.staging.warehouse.Warehouse;
import org.agrona.DirectBuffer;

/**
 * Folds the records of a frame into a warehouse: checks each record, groups it, aggregates its fields, all in place. The
 * hot path of a processor. Staging's thread.
 */
final class FrameFolder {
    /** What became of a frame. */
    enum Result {
        FOLDED,
        /** A record is not whole, or the frame holds another number of them than it says. */
        BROKEN,
        /** The warehouse is at its limit. */
        FULL
    }

    private final Counters<ProcessorCounter> counters;
    private final PoisonGuard guard;
    private final RecordFlyweight record = new RecordFlyweight();
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
     * @param length bytes of it
     * @param part gets the accounts when the whole frame was folded; otherwise it is to be dropped
     * @param earliestNs records before it are late
     * @param isCareful whether each record is tried before it is folded
     */
    @HotPath
    Result fold(
            DirectBuffer frame,
            int length,
            StagedPart part,
            Warehouse warehouse,
            Pipeline pipeline,
            long earliestNs,
            boolean isCareful) {
        checksum = 0;
        aggregated = 0;
        late = 0;
        rejected = 0;
        int count = PartFrame.count(frame, 0);
        int position = PartFrame.HEADER_LENGTH;
        for (int i = 0; i < count; i++) {
            record.wrap(frame, position);
            if (!record.isWhole(length - position) || record.length() > BodyLayout.LENGTH_MAX) {
                return Result.BROKEN;
            }
            checksum += PartFrame.recordChecksum(record);
            if (!take(warehouse, pipeline, earliestNs, isCareful)) {
                return Result.FULL;
            }
            position += record.length();
        }
        if (position != length || count < 0) {
            return Result.BROKEN;
        }
        part.folded(count, checksum, aggregated, late, rejected);
        counters.add(ProcessorCounter.STAGING_COPIES, count);
        counters.add(ProcessorCounter.STAGING_POINTS, aggregated);
        counters.add(ProcessorCounter.STAGING_POINTS_LATE, late);
        counters.add(ProcessorCounter.STAGING_POINTS_REJECTED, rejected);
        return Result.FOLDED;
    }

    private boolean take(Warehouse warehouse, Pipeline pipeline, long earliestNs, boolean isCareful) {
        GroupKey key = pipeline.groupKey();
        int primary = record.isPrimary() ? 1 : 0;
        if (record.timeNs() < earliestNs) {
            late += primary;
            return true;
        }
        key.of(record);
        if (record.fieldCount() == 0 || key.length() > Warehouse.KEY_LENGTH_MAX) {
            rejected += primary;
            return true;
        }
        if (isCareful && !guard.admits(record, warehouse, key, pipeline)) {
            rejected += primary;
            return true;
        }
        aggregated += primary;
        return warehouse.fold(record, key);
    }
}
