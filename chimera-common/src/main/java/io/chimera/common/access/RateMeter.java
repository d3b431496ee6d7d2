package io.chimera.common.access;

/**
 * A token bucket that is charged afterwards: what a request brings is known only once it was read, so the bucket may go
 * below zero, and the next request waits until it is above. Holds the amount of one period. Any thread.
 */
public final class RateMeter {
    private static final double NS_PER_SECOND = 1e9;

    private final double capacity;
    private final double ratePerSecond;
    private double balance;
    private long lastNs;

    /**
     * A full bucket.
     *
     * @param ratePerSecond 0: no limit
     */
    RateMeter(long ratePerSecond, long nowNs) {
        this(ratePerSecond, 1, nowNs);
    }

    /**
     * A full bucket.
     *
     * @param amount per period; 0: no limit
     * @param periodSeconds length of the period
     */
    public RateMeter(long amount, long periodSeconds, long nowNs) {
        capacity = (double) amount;
        ratePerSecond = capacity / periodSeconds;
        balance = capacity;
        lastNs = nowNs;
    }

    /** Seconds until something is accepted again; 0 when it is accepted now. */
    public synchronized long waitSeconds(long nowNs) {
        if (ratePerSecond == 0) {
            return 0;
        }
        fill(nowNs);
        return balance > 0 ? 0 : (long) Math.ceil(-balance / ratePerSecond + 1e-3);
    }

    /** Takes an amount. */
    public synchronized void charge(long amount, long nowNs) {
        if (ratePerSecond > 0) {
            fill(nowNs);
            balance -= (double) amount;
        }
    }

    private void fill(long nowNs) {
        balance = Math.min(capacity, balance + ratePerSecond * ((nowNs - lastNs) / NS_PER_SECOND));
        lastNs = nowNs;
    }
}
