package io.chimera.common.access;

/**
 * Token bucket with charging after the request: the size of a request is known only after reading it, so the balance
 * may become negative, and the next request waits for a positive balance. The capacity is the amount of one period. Any
 * thread.
 */
public final class RateMeter {
    private static final double NS_PER_SECOND = 1e9;

    private final double capacity;
    private final double ratePerSecond;
    private double balance;
    private long lastNs;

    /**
     * Creates a full bucket.
     *
     * @param ratePerSecond 0: no limit
     */
    RateMeter(long ratePerSecond, long nowNs) {
        this(ratePerSecond, 1, nowNs);
    }

    /**
     * Creates a full bucket.
     *
     * @param amount amount per period; 0: no limit
     * @param periodSeconds length of the period
     */
    public RateMeter(long amount, long periodSeconds, long nowNs) {
        capacity = (double) amount;
        ratePerSecond = capacity / periodSeconds;
        balance = capacity;
        lastNs = nowNs;
    }

    /** Seconds until the next request is accepted; 0 for immediately. */
    public synchronized long waitSeconds(long nowNs) {
        if (ratePerSecond == 0) {
            return 0;
        }
        fill(nowNs);
        return balance > 0 ? 0 : (long) Math.ceil(-balance / ratePerSecond + 1e-3);
    }

    /** Subtracts an amount from the balance. */
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
