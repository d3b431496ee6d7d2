package io.chimera.bench.cgroup;

import java.util.Locale;

/**
 * Limit on processor time: the threads of a group together run for the quota in each period.
 *
 * @param quotaUs processor time per period
 * @param periodUs length of a period
 */
record CpuQuota(long quotaUs, long periodUs) {
    /** A node waits for at most this time, less than a cycle, and with 6 % of a core runs for 30 ms at a time. */
    private static final long PERIOD_US = 500_000;

    /** Smallest quota of the kernel. */
    private static final long QUOTA_US_MIN = 1_000;

    private static final int PERCENT = 100;

    /**
     * Returns the limit for a share of one core. The period is 500 ms, or longer if the kernel would refuse the quota
     * as too small.
     *
     * @param percent share of one core in percent, 0.1 or more
     */
    static CpuQuota ofPercent(double percent) {
        if (!(percent >= PERCENT / 1_000.0)) {
            throw new IllegalArgumentException(
                    String.format(Locale.ROOT, "A quota has at least 0.1 %% of a core, not %s %%.", percent));
        }
        long quotaUs = Math.round(PERIOD_US * percent / PERCENT);
        return quotaUs >= QUOTA_US_MIN
                ? new CpuQuota(quotaUs, PERIOD_US)
                : new CpuQuota(QUOTA_US_MIN, Math.round(QUOTA_US_MIN * PERCENT / percent));
    }
}
