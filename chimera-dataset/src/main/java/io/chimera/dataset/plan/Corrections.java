package io.chimera.dataset.plan;

/**
 * Factors between the rates of a running job and the rates that sampling predicts. The model multiplies the sampled
 * rates by the factors.
 *
 * @param reception factor of the rates of sources, links and receiving cores
 * @param starvation factor of the share of reception that computation starves
 * @param computing factor of the rate of computation
 * @param write factor of the rate of writing copies
 * @param read factor of the rate of reading copies
 */
public record Corrections(double reception, double starvation, double computing, double write, double read) {
    /** Rates as sampled. */
    public static final Corrections NONE = new Corrections(1, 1, 1, 1, 1);

    /** Largest factor, and reciprocal of the smallest: a stalled or idle stage must not make a rate 0 or infinite. */
    private static final double FACTOR_MAX = 1000;

    /**
     * Limits the factors to a thousandth up to a thousand.
     *
     * @param reception factor of reception
     * @param starvation factor of starvation
     * @param computing factor of computation
     * @param write factor of writing
     * @param read factor of reading
     */
    public Corrections {
        reception = limited(reception);
        starvation = limited(starvation);
        computing = limited(computing);
        write = limited(write);
        read = limited(read);
    }

    private static double limited(double factor) {
        return Math.max(1 / FACTOR_MAX, Math.min(FACTOR_MAX, factor));
    }

    /**
     * Returns the geometric mean of these factors and newer factors: a rate of a tenth moves the mean as far as a rate
     * of ten times, and a rate of a thousandth is followed within a few reviews.
     *
     * @param newer factors of the last measurement
     * @param weight weight of the newer factors, 0 to 1
     */
    Corrections smoothed(Corrections newer, double weight) {
        return new Corrections(
                mean(reception, newer.reception, weight),
                mean(starvation, newer.starvation, weight),
                mean(computing, newer.computing, weight),
                mean(write, newer.write, weight),
                mean(read, newer.read, weight));
    }

    private static double mean(double older, double newer, double weight) {
        return older * Math.pow(newer / older, weight);
    }
}
