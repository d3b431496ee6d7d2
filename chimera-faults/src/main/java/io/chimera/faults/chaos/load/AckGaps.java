package io.chimera.faults.chaos.load;

import java.util.ArrayList;
import java.util.List;

/** When the clients of one queue node waited long for an acknowledgement. Written by its lane, read by any thread. */
final class AckGaps {
    /** Shorter waits are ordinary. */
    private static final long NOTED_NS = 100_000_000L;

    /** Enough for hours: a gap takes a tenth of a second at least, and faults are seconds apart. */
    private static final int GAPS_MAX = 100_000;

    private final List<long[]> gaps = new ArrayList<>();
    private long lastNs;

    AckGaps(long nowNs) {
        lastNs = nowNs;
    }

    synchronized void acknowledged(long nowNs) {
        if (nowNs - lastNs > NOTED_NS && gaps.size() < GAPS_MAX) {
            gaps.add(new long[] {lastNs, nowNs});
        }
        lastNs = nowNs;
    }

    /** The longest wait within a time, that which lasts included. */
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
