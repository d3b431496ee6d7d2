package io.chimera.common.cluster;

/**
 * The two times of a cycle. The times differ after a clock ran ahead and was set back: row timestamps must increase,
 * and a clock error of seconds must not mark points as late for hours.
 *
 * @param rowsMs timestamp of every row of the cycle, ms since 1970; increases with every live cycle
 * @param clockMs clock of the conductor at the begin of the cycle, ms since 1970; reference for lateness decisions
 */
public record CycleTime(long rowsMs, long clockMs) {
    /** Creates the time of a cycle with row timestamps equal to the clock at its begin. */
    public static CycleTime of(long ms) {
        return new CycleTime(ms, ms);
    }
}
