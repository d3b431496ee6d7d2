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

    /** No epoch has begun. */
    private static final long NONE = -1;

    private final long epochMs;
    private long epoch = NONE;

    /**
     * Before the first epoch.
     *
     * @param epochMs length of an epoch
     */
    EpochClock(long epochMs) {
        this.epochMs = epochMs;
    }

    /** Epochs that have to end before a moment; at most 2, which is as good as any number. */
    @HotPath
    int endsBefore(long timeNs) {
        long next = TimeUnit.NANOSECONDS.toMillis(timeNs) / epochMs;
        if (next <= epoch) {
            return 0;
        }
        int ends = epoch == NONE ? 0 : (int) Math.min(2, next - epoch);
        epoch = next;
        return ends;
    }

    /** Scale of a moment in the present epoch; one before it counts as its begin. */
    @HotPath
    float scale(long timeNs) {
        long sinceMs = Math.max(0, TimeUnit.NANOSECONDS.toMillis(timeNs) - epoch * epochMs);
        return SCALES[(int) (sinceMs * SCALES.length / epochMs)];
    }

    /** Whether the present epoch lies behind that of a moment. */
    boolean isBehind(long timeNs) {
        return epoch > TimeUnit.NANOSECONDS.toMillis(timeNs) / epochMs;
    }

    void clear() {
        epoch = NONE;
    }
}
