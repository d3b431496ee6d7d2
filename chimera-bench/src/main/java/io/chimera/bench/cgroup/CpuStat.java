package io.chimera.bench.cgroup;

import java.util.concurrent.TimeUnit;

/**
 * Throttling of a group since its creation, from the file {@code cpu.stat}.
 *
 * @param periods periods with runnable threads
 * @param throttledPeriods periods in which the group used up its quota
 * @param throttledNs time during which runnable threads had to wait for the next period, summed over the cores
 */
public record CpuStat(long periods, long throttledPeriods, long throttledNs) {
    /** Parses {@code cpu.stat}. Version 1 counts the wait in nanoseconds, version 2 in microseconds. */
    static CpuStat parse(String text) {
        return new CpuStat(
                value(text, "nr_periods"),
                value(text, "nr_throttled"),
                value(text, "throttled_time") + TimeUnit.MICROSECONDS.toNanos(value(text, "throttled_usec")));
    }

    /** Returns the value of a line; 0 without the line. */
    private static long value(String text, String name) {
        return text.lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    /** Returns the throttling since an earlier time. */
    public CpuStat since(CpuStat earlier) {
        return new CpuStat(
                periods - earlier.periods,
                throttledPeriods - earlier.throttledPeriods,
                throttledNs - earlier.throttledNs);
    }
}
