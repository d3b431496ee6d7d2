package io.chimera.faults.chaos.load;

import java.util.ArrayList;
import java.util.List;

/** Long waits of a queue node's clients for acknowledgements. Written by its lane, read by any thread. */
final class AckGaps {
    /** Shorter waits are normal. */
    private static final long NOTED_NS = 100_000_000L;

    /** Enough for hours: a gap takes at least 0.1 s, and faults are seconds apart. */
    private static final int GAPS_MAX = 100_000;

    private final List<long[]> gaps = new ArrayList<>();
    private long lastNs;
    private long acknowledgedNs;

    AckGaps(long nowNs) {
        lastNs = nowNs;
        acknowledgedNs = nowNs;
    }

    synchronized void acknowledged(long nowNs) {
        if (nowNs - lastNs > NOTED_NS && gaps.size() < GAPS_MAX) {
            gaps.add(new long[] {lastNs, nowNs});
        }
        lastNs = nowNs;
        acknowledgedNs = nowNs;
    }

    /** Starts a new wait without counting the time since the last acknowledgement: the client was paused. */
    synchronized void restart(long nowNs) {
        lastNs = nowNs;
    }

    /** Returns the time of the last acknowledgement, or the creation before the first. */
    synchronized long acknowledgedNs() {
        return acknowledgedNs;
    }

    /** Returns the longest wait within a period, including a wait that has not ended. */
    synchronized long longestNs(long fromNs, long toNs) {
        long longest = overlapNs(lastNs, toNs, fromNs, toNs);
        for (long[] gap : gaps) {
            longest = Math.max(longest, overlapNs(gap[0], gap[1], fromNs, toNs));
        }
        return longest;
    }

    private static long overlapNs(long beganNs, long endedNs, long fromNs, long toNs) {
        long overlap = Math.min(endedNs, toNs) - Math.max(beganNs, fromNs);
        return overlap <= 0 ? 0 : overlap;
    }
}
