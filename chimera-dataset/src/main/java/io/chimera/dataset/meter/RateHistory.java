package io.chimera.dataset.meter;

import java.util.ArrayList;
import java.util.List;

/**
 * Course of a job over time, for reports: at most {@link #POINTS_MAX} points. When they are full, every second point is
 * dropped and the distance of the points is doubled. One thread.
 */
public final class RateHistory {
    static final int POINTS_MAX = 600;

    private static final double NS_PER_SECOND = 1e9;

    private final long startNs;
    private final List<Point> points = new ArrayList<>();
    private long everyNs;

    /**
     * State of a job at a time. Amounts are sums since the start of the run.
     *
     * @param seconds time since the start
     * @param received bytes from all sources
     * @param computed bytes computed by all workers
     * @param computingSeconds computation of all workers, waiting excluded
     * @param waitingSeconds time that the workers waited for bytes
     */
    public record Point(double seconds, long received, long computed, double computingSeconds, double waitingSeconds) {}

    /**
     * Starts a history.
     *
     * @param startNs start of the job
     * @param everyNs least distance of two points
     */
    public RateHistory(long startNs, long everyNs) {
        this.startNs = startNs;
        this.everyNs = everyNs;
    }

    /**
     * Adds a point, unless the last point is too near.
     *
     * @param nowNs time of the state
     * @param state state of the job
     */
    public void add(long nowNs, JobMeters.Sums state) {
        double seconds = (nowNs - startNs) / NS_PER_SECOND;
        if (!points.isEmpty() && seconds - points.get(points.size() - 1).seconds() < everyNs / NS_PER_SECOND) {
            return;
        }
        if (points.size() == POINTS_MAX) {
            halve();
        }
        points.add(new Point(
                seconds,
                state.received(),
                state.computed(),
                state.computingNs() / NS_PER_SECOND,
                state.waitingNs() / NS_PER_SECOND));
    }

    private void halve() {
        List<Point> kept = new ArrayList<>();
        for (int i = 0; i < points.size(); i += 2) {
            kept.add(points.get(i));
        }
        points.clear();
        points.addAll(kept);
        everyNs *= 2;
    }

    /** Returns the points in the order of time. */
    public List<Point> points() {
        return List.copyOf(points);
    }
}
