package io.chimera.bench.paper.disk;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Totals of a load over time: acknowledged points and answers 503. One thread. */
final class AcceptedPoints {
    private static final double NS_PER_S = TimeUnit.SECONDS.toNanos(1);

    private final List<Sample> samples = new ArrayList<>();

    /**
     * Totals at a time.
     *
     * @param ns time
     * @param points acknowledged points since the start of the load
     * @param refused answers 503 since the start of the load
     */
    private record Sample(long ns, long points, long refused) {
        double total(boolean isOfPoints) {
            return isOfPoints ? points : refused;
        }
    }

    /** Adds totals; the first call begins the observation. */
    void add(long ns, long points, long refused) {
        samples.add(new Sample(ns, points, refused));
    }

    /** Returns the length of the observation in seconds. */
    double seconds() {
        return (last().ns() - first().ns()) / NS_PER_S;
    }

    /** Returns the acknowledged points of the observation. */
    long points() {
        return last().points() - first().points();
    }

    /** Returns the number of answers 503 in the observation. */
    long refused() {
        return last().refused() - first().refused();
    }

    /** Returns the points per second in steps of equal length. */
    List<Double> rates(int steps) {
        return perSecond(steps, true);
    }

    /** Returns the answers 503 per second in steps of equal length. */
    List<Double> refusedRates(int steps) {
        return perSecond(steps, false);
    }

    private List<Double> perSecond(int steps, boolean isOfPoints) {
        List<Double> rates = new ArrayList<>();
        double stepNs = (last().ns() - first().ns()) / (double) steps;
        double before = first().total(isOfPoints);
        for (int step = 1; step <= steps; step++) {
            double after = totalAt(first().ns() + stepNs * step, isOfPoints);
            rates.add((after - before) / stepNs * NS_PER_S);
            before = after;
        }
        return rates;
    }

    /** Returns a total at a time, interpolated between two samples. */
    private double totalAt(double ns, boolean isOfPoints) {
        Sample before = first();
        for (Sample after : samples) {
            if (after.ns() >= ns && after.ns() > before.ns()) {
                double share = (ns - before.ns()) / (after.ns() - before.ns());
                double low = before.total(isOfPoints);
                return low + share * (after.total(isOfPoints) - low);
            }
            before = after;
        }
        return before.total(isOfPoints);
    }

    /**
     * Returns the time of each whole cycle in seconds.
     *
     * @param cyclePoints points of a cycle
     */
    List<Double> cycleSeconds(long cyclePoints) {
        List<Double> times = new ArrayList<>();
        double beganNs = first().ns();
        long end = first().points() + cyclePoints;
        Sample before = first();
        for (Sample after : samples) {
            while (after.points() >= end) {
                double share = (double) (end - before.points()) / (after.points() - before.points());
                double endedNs = before.ns() + share * (after.ns() - before.ns());
                times.add((endedNs - beganNs) / NS_PER_S);
                beganNs = endedNs;
                end += cyclePoints;
            }
            before = after;
        }
        return times;
    }

    private Sample first() {
        return samples.get(0);
    }

    private Sample last() {
        return samples.get(samples.size() - 1);
    }
}
