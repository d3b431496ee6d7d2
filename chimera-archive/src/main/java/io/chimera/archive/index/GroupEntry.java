package io.chimera.archive.index;

import io.chimera.archive.streamfs.RecordHandle;
import java.util.List;

/**
 * What level 2 knows of a group beside its slices.
 *
 * @param level1 where its intervals are
 * @param firstNumber of its first interval
 * @param lastNumber of its last interval
 * @param firstNs no item is older; ns since 1970
 * @param lastNs no item is younger; ns since 1970
 * @param intervals how many
 * @param ranges by position among range keys
 */
record GroupEntry(
        RecordHandle level1,
        long firstNumber,
        long lastNumber,
        long firstNs,
        long lastNs,
        int intervals,
        List<RangeSummary> ranges)
        implements Summary {
    /** Whether it may hold something of a span of time, both ends included. */
    boolean meets(long afterNs, long beforeNs) {
        return firstNs <= beforeNs && lastNs >= afterNs;
    }

    /** Whether records of the data stream lie between its intervals that the index does not know: they could not be read. */
    boolean hasGaps() {
        return lastNumber - firstNumber >= intervals;
    }

    /** Whether these intervals are its own. */
    boolean isOf(List<IntervalEntry> entries) {
        return !entries.isEmpty()
                && entries.size() == intervals
                && entries.get(0).interval().number() == firstNumber
                && entries.get(intervals - 1).interval().number() == lastNumber;
    }

    /** Only its slices know more. */
    @Override
    public boolean mayHold(long keyed) {
        return true;
    }

    @Override
    public RangeSummary range(int range) {
        return ranges.get(range);
    }
}
