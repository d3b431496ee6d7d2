package chimera.examples.mean;

import java.util.ArrayDeque;

/** Points of one series in the window. Used by one thread. */
final class Window {
    private final long windowNs;
    private final int pointsMax;
    private final ArrayDeque<Point> points = new ArrayDeque<>();
    private long latestNs = Long.MIN_VALUE;

    private record Point(long timeNs, double value) {}

    Window(MovingMean.Settings settings) {
        windowNs = settings.window().toNanos();
        pointsMax = settings.points();
    }

    /**
     * Adds a point and returns the mean. Sums all points each time, because a running sum would contain rounding errors of
     * points that have left the window.
     */
    double add(long timeNs, double value) {
        points.add(new Point(timeNs, value));
        latestNs = Math.max(latestNs, timeNs);
        points.removeIf(point -> point.timeNs < latestNs - windowNs);
        while (points.size() > pointsMax) {
            points.remove();
        }
        double sum = 0;
        for (Point point : points) {
            sum += point.value;
        }
        return points.isEmpty() ? value : sum / points.size();
    }

    boolean endsBefore(long timeNs) {
        return latestNs < timeNs - windowNs;
    }
}
