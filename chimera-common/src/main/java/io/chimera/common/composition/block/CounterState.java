package io.chimera.common.composition.block;

import io.chimera.api.model.FieldType;
import io.chimera.api.model.HistogramWriter;
import io.chimera.api.spi.PointView;

/** Last values of one series: its counter, its cumulative histogram, and the start of both. */
final class CounterState {
    private final long hash;
    private final String metric;
    private final String[] tags;
    private final HistogramDifference difference = new HistogramDifference();
    private long timeNs;
    private boolean isSeen;

    /** Time of the last cycle with a point. */
    private long cycleNs;

    private long startMs;
    private FieldType type = FieldType.TEXT;
    private long bits;
    private byte[] histogram = {};
    private int histogramLength;

    /** Creates the state of the series of a point, without values. */
    CounterState(PointView point) {
        hash = hash(point);
        metric = point.metric().toString();
        tags = new String[2 * point.tags()];
        for (int i = 0; i < point.tags(); i++) {
            tags[2 * i] = point.tagName(i).toString();
            tags[2 * i + 1] = point.tagValue(i).toString();
        }
        timeNs = Long.MIN_VALUE;
        startMs = Long.MIN_VALUE;
    }

    /** Returns a hash of metric and tags, equal for equal series. */
    static long hash(PointView point) {
        long hash = point.metric().hash();
        for (int i = 0; i < point.tags(); i++) {
            hash = 31 * (31 * hash + point.tagName(i).hash())
                    + point.tagValue(i).hash();
        }
        return hash;
    }

    /** Returns the hash of the series. */
    long hash() {
        return hash;
    }

    /** Returns whether this is the state of the series of a point. */
    boolean isOf(PointView point) {
        if (tags.length != 2 * point.tags() || !point.metric().is(metric)) {
            return false;
        }
        for (int i = 0; i < point.tags(); i++) {
            if (!point.tagName(i).is(tags[2 * i]) || !point.tagValue(i).is(tags[2 * i + 1])) {
                return false;
            }
        }
        return true;
    }

    /** Time of the last point; {@link Long#MIN_VALUE} before the first. */
    long timeNs() {
        return timeNs;
    }

    /**
     * Moves to the next point; a later start than before is a reset.
     *
     * @param newStartMs start of the counter, or {@link Long#MIN_VALUE} if the point does not tell
     * @return false if the values of the last point are no base: the counter began again
     */
    boolean advance(long newTimeNs, long newStartMs) {
        timeNs = newTimeNs;
        isSeen = true;
        boolean isSameStart = newStartMs <= startMs;
        boolean isKnown = startMs != Long.MIN_VALUE;
        startMs = Math.max(startMs, newStartMs);
        return isSameStart || !isKnown;
    }

    /**
     * Ends a cycle.
     *
     * @param newCycleNs time of the cycle
     * @return time since the last cycle with a point
     */
    long endCycle(long newCycleNs) {
        if (isSeen) {
            cycleNs = newCycleNs;
            isSeen = false;
        }
        return newCycleNs - cycleNs;
    }

    /** Forgets all values. */
    void forget() {
        type = FieldType.TEXT;
        histogramLength = 0;
        startMs = Long.MIN_VALUE;
    }

    /** Returns whether there is a value of the counter. */
    boolean hasNumber() {
        return type != FieldType.TEXT;
    }

    /** Returns whether there is a value of the histogram. */
    boolean hasHistogram() {
        return histogramLength > 0;
    }

    /** Returns whether the value of the counter is of type long. */
    boolean isLong() {
        return type == FieldType.LONG;
    }

    /** Returns the increase of a counter of type long up to a value; the value itself after a reset. */
    long whole(long next) {
        return next < bits || bits < 0 ? next : next - bits;
    }

    /** Returns the increase up to a value; the value itself after a reset. */
    double number(double next) {
        double last =
                switch (type) {
                    case DOUBLE -> Double.longBitsToDouble(bits);
                    case UNSIGNED -> bits < 0 ? ((bits >>> 1) | (bits & 1)) * 2.0 : bits;
                    case LONG, BOOLEAN, TEXT, HISTOGRAM -> bits;
                };
        return next < last ? next : next - last;
    }

    /** Keeps a value of the counter. */
    void keep(FieldType newType, long newBits) {
        type = newType;
        bits = newBits;
    }

    /**
     * Makes the increase of the histogram up to a value; the value itself after a reset.
     *
     * @return the increase, from index 0; {@link #increaseLength} has its length
     */
    byte[] increase(byte[] next, int length) {
        return difference.between(histogram, histogramLength, next, length);
    }

    int increaseLength() {
        return difference.length();
    }

    /** Keeps a value of the histogram. */
    void keep(byte[] next, int length) {
        if (histogram.length < length) {
            histogram = new byte[Math.min(HistogramWriter.LENGTH_MAX, Math.max(length, 2 * histogram.length))];
        }
        System.arraycopy(next, 0, histogram, 0, length);
        histogramLength = length;
    }
}
