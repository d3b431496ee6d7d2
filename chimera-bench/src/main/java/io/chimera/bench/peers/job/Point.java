package io.chimera.bench.peers.job;

/**
 * A parsed point. Public mutable fields and a constructor without arguments, as Flink's own serializer wants a class.
 */
public final class Point {
    /** Metric and tags in order of their names, as line protocol writes them. */
    public String key;

    /** Nanoseconds since 1970. */
    public long timeNs;

    /** Names of the fields; the same array for points of the same fields. */
    public String[] fields;

    /** A value per field. */
    public double[] values;

    /** For serializers. */
    public Point() {}

    /** A point. */
    public Point(String key, long timeNs, String[] fields, double[] values) {
        this.key = key;
        this.timeNs = timeNs;
        this.fields = fields;
        this.values = values;
    }
}
