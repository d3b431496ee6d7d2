package io.chimera.common.cluster;

/**
 * Counterpart of the low-water mark for replay cycles: every replay cycle up to the mark is finished.
 *
 * @param cycle number of the last finished replay cycle; {@link Cycle#REPLAYS} before the first
 * @param totals accounts of all completed replay cycles; separate from the totals of live cycles
 */
public record ReplayMark(long cycle, LowMark.Totals totals) {
    /** Mark before the first replay. */
    public static final ReplayMark NONE = new ReplayMark(Cycle.REPLAYS, LowMark.Totals.ZERO);
}
