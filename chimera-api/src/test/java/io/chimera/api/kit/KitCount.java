package io.chimera.api.kit;

import io.chimera.api.spi.PointSink;

/** Counts the points and rejections of a parser, and keeps nothing; allocates nothing. */
public class KitCount implements PointSink {
    private final long arrivalTimeNs;
    private long points;
    private long rejected;

    /**
     * Creates a sink without points.
     *
     * @param arrivalTimeNs arrival time of all points, in nanoseconds since 1970 UTC
     */
    public KitCount(long arrivalTimeNs) {
        this.arrivalTimeNs = arrivalTimeNs;
    }

    /** Returns the number of accepted points. */
    public final long points() {
        return points;
    }

    /** Returns the number of rejected points. */
    public final long rejected() {
        return rejected;
    }

    @Override
    public boolean begin(int textLength) {
        return true;
    }

    @Override
    public void metric(byte[] bytes, int offset, int length) {}

    @Override
    public void tag(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {}

    @Override
    public void field(byte[] name, int nameOffset, int nameLength, int typeCode, long bits) {}

    @Override
    public void textField(
            byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {}

    @Override
    public void time(long timeNs) {}

    @Override
    public int end() {
        points++;
        return OK;
    }

    @Override
    public void reject(byte[] bytes, int offset, int length, long line, String reason) {
        rejected++;
    }

    @Override
    public long arrivalTimeNs() {
        return arrivalTimeNs;
    }
}
