package io.chimera.dataset.meter;

/**
 * Rate of a growing amount, smoothed over time: older growth counts less, by half every {@link #HALF_LIFE_SECONDS}.
 * Until then it is nearly the mean rate since the start. One thread.
 */
public final class SmoothedRate {
    private static final double HALF_LIFE_SECONDS = 10;
    private static final double NS_PER_SECOND = 1e9;

    private long lastNs;
    private double lastAmount;

    /** Growth and seconds, both with weights that fade. */
    private double growth;

    private double seconds;

    /**
     * Starts to measure.
     *
     * @param nowNs present time
     * @param amount present amount
     */
    public SmoothedRate(long nowNs, double amount) {
        lastNs = nowNs;
        lastAmount = amount;
    }

    /**
     * Adds a measurement.
     *
     * @param nowNs present time, not before the last one
     * @param amount present amount
     */
    public void update(long nowNs, double amount) {
        double passed = (nowNs - lastNs) / NS_PER_SECOND;
        double fading = Math.pow(0.5, passed / HALF_LIFE_SECONDS);
        growth = growth * fading + Math.max(0, amount - lastAmount);
        seconds = seconds * fading + passed;
        lastNs = nowNs;
        lastAmount = amount;
    }

    /** Returns the amount per second; 0 before the first growth. */
    public double perSecond() {
        return seconds > 0 ? growth / seconds : 0;
    }
}
