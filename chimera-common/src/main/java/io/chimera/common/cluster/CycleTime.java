package io.chimera.common.cluster;

/**
 * The two times of a cycle. They differ after a clock ran ahead and was set back: rows need times that grow, and a point must
 * not be late for hours because a clock was wrong for seconds.
 *
 * @param rowsMs time stamp of every row of the cycle, ms since 1970; grows with every live cycle
 * @param clockMs the conductor's clock when the cycle began, ms since 1970; lateness is judged by it
 */
public record CycleTime(long rowsMs, long clockMs) {
    /** Returns the time of a cycle whose rows carry the clock at its begin. */
    public static CycleTime of(long ms) {
        return new CycleTime(ms, ms);
    }
}
