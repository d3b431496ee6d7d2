package io.chimera.archive.index.record;

import io.chimera.archive.index.key.RangeSummary;
import io.chimera.archive.index.key.Summary;
import io.chimera.archive.streamfs.store.RecordHandle;
import java.util.List;

/**
 * Level-2 data of a group, except its slices.
 *
 * @param level1 record of its intervals
 * @param firstNumber number of its first interval
 * @param lastNumber number of its last interval
 * @param firstNs lower bound for the times of its items; ns since 1970
 * @param lastNs upper bound for the times of its items; ns since 1970
 * @param intervals number of intervals
 * @param ranges ranges by position among range keys
 */
public record GroupEntry(
        RecordHandle level1,
        long firstNumber,
        long lastNumber,
        long firstNs,
        long lastNs,
        int intervals,
        List<RangeSummary> ranges)
        implements Summary {
    /** Returns true if the group may hold items of a time span, both ends included. */
    public boolean meets(long afterNs, long beforeNs) {
        return firstNs <= beforeNs && lastNs >= afterNs;
    }

    /** Returns true if unreadable records of the data stream, unknown to the index, lie between the intervals. */
    public boolean hasGaps() {
        return lastNumber - firstNumber >= intervals;
    }

    /** Returns true if these intervals belong to the group. */
    public boolean isOf(List<IntervalEntry> entries) {
        return !entries.isEmpty()
                && entries.size() == intervals
                && entries.get(0).interval().number() == firstNumber
                && entries.get(intervals - 1).interval().number() == lastNumber;
    }

    /** Returns true: only the slices hold the keys. */
    @Override
    public boolean mayHold(long keyed) {
        return true;
    }

    @Override
    public RangeSummary range(int range) {
        return ranges.get(range);
    }
}
