package io.chimera.common.access;

/**
 * A token bucket that is charged afterwards: what a request brings is known only once it was read, so the bucket may go
 * below zero, and the next request waits until it is above. Holds one second of its rate. Any thread.
 */
final class RateMeter {
    private static final double NS_PER_SECOND = 1e9;

    private final double ratePerSecond;
    private double balance;
    private long lastNs;

    /**
     * A full bucket.
     *
     * @param ratePerSecond 0: no limit
     */
    RateMeter(long ratePerSecond, long nowNs) {
        this.ratePerSecond = (double) ratePerSecond;
        balance = this.ratePerSecond;
        lastNs = nowNs;
    }

    /** Seconds until something is accepted again; 0 when it is accepted now. */
    synchronized long waitSeconds(long nowNs) {
        if (ratePerSecond == 0) {
            return 0;
        }
        fill(nowNs);
        return balance > 0 ? 0 : (long) Math.ceil(-balance / ratePerSecond + 1e-3);
    }

    synchronized void charge(long amount, long nowNs) {
        if (ratePerSecond > 0) {
            fill(nowNs);
            balance -= (double) amount;
        }
    }

    private void fill(long nowNs) {
        balance = Math.min(ratePerSecond, balance + ratePerSecond * ((nowNs - lastNs) / NS_PER_SECOND));
        lastNs = nowNs;
    }
}
