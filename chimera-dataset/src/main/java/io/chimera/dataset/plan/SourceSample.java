package io.chimera.dataset.plan;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Measurements of a source by a single worker. Immutable.
 *
 * @param place address of the source without credentials, for reports
 * @param roundTrip time from a small request to the answer
 * @param rates rates in ascending order of connections, without computation
 * @param busyBytesPerSecond rate with the fastest number of connections while every core of the worker computes; absent
 *     counts as no loss
 * @param totalBytesPerSecond limit of the source for any number of workers; absent when a single worker measured
 */
public record SourceSample(
        String place,
        Duration roundTrip,
        List<ConnectionRate> rates,
        OptionalDouble busyBytesPerSecond,
        OptionalDouble totalBytesPerSecond) {

    /** Growth between the last two numbers of connections above which the source has more to give. */
    private static final double RISING = 1.25;

    /** Share of the rate of a link above which the link counts as full. */
    private static final double FULL = 0.9;

    /** Share of a rate that counts as having reached the rate. */
    private static final double REACHED = 0.95;

    /**
     * Checks the values and sorts the rates.
     *
     * @param place address of the source
     * @param roundTrip not negative
     * @param rates at least one rate
     * @param busyBytesPerSecond not negative
     * @param totalBytesPerSecond more than 0
     */
    public SourceSample {
        rates = rates.stream()
                .sorted(Comparator.comparingInt(ConnectionRate::connections))
                .toList();
        if (rates.isEmpty() || roundTrip.isNegative()) {
            throw new IllegalArgumentException(
                    place + ": round trip " + roundTrip + ", " + rates.size() + " rates; expected a rate");
        }
        if (!(busyBytesPerSecond.orElse(0) >= 0) || !(totalBytesPerSecond.orElse(1) > 0)) {
            throw new IllegalArgumentException(
                    place + ": busy rate " + busyBytesPerSecond + ", total rate " + totalBytesPerSecond);
        }
    }

    /** Returns the best rate of a single worker without computation, in bytes per second. */
    public double best() {
        return rates.stream().mapToDouble(ConnectionRate::bytesPerSecond).max().orElseThrow();
    }

    /** Returns the rate while every core computes, in bytes per second; the best rate when not measured. */
    double busy() {
        return Math.min(best(), busyBytesPerSecond.orElse(best()));
    }

    /** Returns whether the rate still grew with the last number of connections: more connections may give more. */
    public boolean isRising() {
        if (rates.size() < 2) {
            return false;
        }
        ConnectionRate last = rates.get(rates.size() - 1);
        return last.bytesPerSecond() >= RISING * rates.get(rates.size() - 2).bytesPerSecond();
    }

    /** Returns the smallest number of connections with 95 % of a rate; at most the fastest number. */
    int connectionsFor(double bytesPerSecond) {
        double wanted = REACHED * Math.min(best(), bytesPerSecond);
        return rates.stream()
                .filter(rate -> rate.bytesPerSecond() >= wanted)
                .mapToInt(ConnectionRate::connections)
                .findFirst()
                .orElseThrow();
    }

    /** Returns the rate of a number of connections: interpolated between sampled numbers, and never above the best. */
    double rateOf(int connections) {
        int fewer = 0;
        double fewerRate = 0;
        for (ConnectionRate rate : rates) {
            if (rate.connections() >= connections) {
                double share = (double) (connections - fewer) / (rate.connections() - fewer);
                return fewerRate + share * (rate.bytesPerSecond() - fewerRate);
            }
            fewer = rate.connections();
            fewerRate = rate.bytesPerSecond();
        }
        return best();
    }

    /**
     * Returns the rate of a number of receivers together: {@code min(receivers * best, total)}. An unknown total is
     * the best rate of the single worker, because more connections gave no more. Exceptions: the rate still rose, or
     * filled the link of the worker; then the source has no known limit.
     *
     * @param receivers number of nodes that receive
     * @param link rate of the link of a node; absent when not known
     * @return bytes per second
     */
    double capacity(int receivers, OptionalDouble link) {
        boolean isLinkFull = best() >= FULL * link.orElse(Double.POSITIVE_INFINITY);
        double unknown = isRising() || isLinkFull ? Double.POSITIVE_INFINITY : best();
        return Math.min(receivers * best(), totalBytesPerSecond.orElse(unknown));
    }
}
