package io.chimera.coordinator.conductor;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.CycleTime;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Decides when the next cycle is due, and its time. Used by the conductor's thread only. */
final class CycleSchedule {
    private final CycleClock clock;
    private final Duration every;
    private long lastBeginNs;
    private long idlePeriodMs;

    CycleSchedule(CycleClock clock, Duration every, long nowNs) {
        this.clock = clock;
        this.every = every;
        lastBeginNs = nowNs;
    }

    /** Returns whether there is a time; no cycle may begin without a time. */
    boolean isSet() {
        return clock.isSet();
    }

    /** Returns whether the period of a new cycle has come. Only valid while {@link #isSet}. */
    boolean isDue(ClusterView view, long nowNs) {
        long nowMs = clock.epochMs(nowNs);
        long lastTimeMs = lastTimeMs(view);
        boolean clockWentBack = nowMs < lastTimeMs;
        if (clockWentBack) {
            return nowNs - lastBeginNs >= every.toNanos();
        }
        long periodMs = periodMs(nowMs);
        return periodMs > lastTimeMs && periodMs != idlePeriodMs;
    }

    /** Returns the time of a cycle that begins now. Only valid while {@link #isSet}. */
    CycleTime time(ClusterView view, long nowNs) {
        long periodMs = periodMs(clock.epochMs(nowNs));
        return new CycleTime(Math.max(lastTimeMs(view) + 1, periodMs), Math.min(periodMs, clock.latenessMs(nowNs)));
    }

    /** Ends a period without points: it has no cycle, and points from now on belong to the next period. */
    void skipPeriod(long nowNs) {
        idlePeriodMs = periodMs(clock.epochMs(nowNs));
        lastBeginNs = nowNs;
    }

    /** Records the start of a cycle. */
    void begun(long nowNs) {
        lastBeginNs = nowNs;
    }

    /** Returns the time until the next period; by the clock of the machine while there is no time. */
    long untilNextPeriodNs(long machineMs, long nowNs) {
        long nowMs = clock.isSet() ? clock.epochMs(nowNs) : machineMs;
        return TimeUnit.MILLISECONDS.toNanos(every.toMillis() - Math.floorMod(nowMs, every.toMillis()));
    }

    private long periodMs(long nowMs) {
        return Math.floorDiv(nowMs, every.toMillis()) * every.toMillis();
    }

    private static long lastTimeMs(ClusterView view) {
        return view.open(view.newest()).map(open -> open.cycle().timeMs()).orElseGet(() -> view.low()
                .timeMs());
    }
}
