package io.chimera.apps.voip;

import io.chimera.api.HotPath;
import java.util.concurrent.TimeUnit;

/**
 * Epochs of the time that calls carry, and the scale of a moment in one: two to the power of the half-lives since it began. By a
 * table, so that it is the same on every machine. One thread.
 */
final class EpochClock {
    private static final int STEPS = 1 << 10;
    private static final float[] SCALES = new float[UserRates.HALF_LIVES * STEPS];

    static {
        for (int i = 0; i < SCALES.length; i++) {
            SCALES[i] = (float) StrictMath.pow(2, (double) i / STEPS);
        }
    }

    private final long epochNs;
    private final double stepsPerNs;

    /** Whether an epoch has begun. */
    private boolean isBegun;

    private long beginNs;

    /**
     * Before the first epoch.
     *
     * @param epochMs length of an epoch
     */
    EpochClock(long epochMs) {
        epochNs = TimeUnit.MILLISECONDS.toNanos(epochMs);
        stepsPerNs = (double) SCALES.length / epochNs;
    }

    /** Epochs that have to end before a moment; at most 2, which is as good as any number. */
    @HotPath
    int endsBefore(long timeNs) {
        if (isBegun && timeNs - beginNs < epochNs) {
            return 0;
        }
        long next = timeNs / epochNs * epochNs;
        int ends = isBegun ? (int) Math.min(2, (next - beginNs) / epochNs) : 0;
        isBegun = true;
        beginNs = next;
        return ends;
    }

    /** Scale of a moment in the present epoch; one before it counts as its begin. */
    @HotPath
    float scale(long timeNs) {
        long sinceNs = Math.max(0, timeNs - beginNs);
        return SCALES[Math.min(SCALES.length - 1, (int) (sinceNs * stepsPerNs))];
    }

    /** Whether the present epoch lies behind that of a moment. */
    boolean isBehind(long timeNs) {
        return isBegun && beginNs > timeNs;
    }

    void clear() {
        isBegun = false;
    }
}
