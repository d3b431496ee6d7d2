package io.chimera.common.cluster;

/**
 * What the low-water mark is for live cycles: every replay cycle up to here is over.
 *
 * @param cycle number of the last replay cycle that is over; {@link Cycle#REPLAYS} before the first
 * @param totals accounts of all that were run whole; live traffic is not in them, nor are they in its totals
 */
public record ReplayMark(long cycle, LowMark.Totals totals) {
    /** Before the first replay. */
    public static final ReplayMark NONE = new ReplayMark(Cycle.REPLAYS, LowMark.Totals.ZERO);
}
