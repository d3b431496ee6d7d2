package io.chimera.coordinator.conductor;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.CycleTime;
import java.util.concurrent.TimeUnit;

/**
 * Decides when the next cycle is due, and its time: the start of its period, a multiple of the period in ms since 1970.
 * When the {@link PeriodRule} changes the period, boundaries of the longer period are boundaries of the shorter one, so
 * times grow and stay multiples of the period in force. Used by the conductor's thread only.
 */
final class CycleSchedule {
    private final CycleClock clock;
    private final PeriodRule rule;
    private long lastBeginNs;
    private long idlePeriodMs;

    CycleSchedule(CycleClock clock, PeriodRule rule, long nowNs) {
        this.clock = clock;
        this.rule = rule;
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
            return nowNs - lastBeginNs >= rule.period().toNanos();
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
        long everyMs = rule.period().toMillis();
        return TimeUnit.MILLISECONDS.toNanos(everyMs - Math.floorMod(nowMs, everyMs));
    }

    private long periodMs(long nowMs) {
        long everyMs = rule.period().toMillis();
        return Math.floorDiv(nowMs, everyMs) * everyMs;
    }

    private static long lastTimeMs(ClusterView view) {
        return view.open(view.newest()).map(open -> open.cycle().timeMs()).orElseGet(() -> view.low()
                .timeMs());
    }
}
