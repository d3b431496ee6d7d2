package io.chimera.apps.voip;

import io.chimera.api.HotPath;
import java.util.concurrent.TimeUnit;

/**
 * Epochs of event time, and the scale of a moment in its epoch: two to the power of the half-lives since the begin of
 * the epoch. Scales come from a table, so that they are the same on every machine. One thread.
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

    /** Whether the first epoch has begun. */
    private boolean isBegun;

    private long beginNs;

    /**
     * Creates a clock before its first epoch.
     *
     * @param epochMs length of an epoch
     */
    EpochClock(long epochMs) {
        epochNs = TimeUnit.MILLISECONDS.toNanos(epochMs);
        stepsPerNs = (double) SCALES.length / epochNs;
    }

    /**
     * Advances to the epoch of a moment, and returns the number of ended epochs, capped at 2: two ends already clear
     * both epochs.
     */
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

    /** Returns the scale of a moment in the current epoch. An earlier moment has the scale of the epoch's begin. */
    @HotPath
    float scale(long timeNs) {
        long sinceNs = Math.max(0, timeNs - beginNs);
        return SCALES[Math.min(SCALES.length - 1, (int) (sinceNs * stepsPerNs))];
    }

    /** Whether the current epoch begins after a moment. */
    boolean isBehind(long timeNs) {
        return isBegun && beginNs > timeNs;
    }

    void clear() {
        isBegun = false;
    }
}
