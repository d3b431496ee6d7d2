package io.chimera.bench.peers.job;

/**
 * A parsed point. Has public mutable fields and a constructor without arguments, as Flink's own serializer requires.
 */
public final class Point {
    /** Metric and tags sorted by name, in line protocol. */
    public String key;

    /** Time in nanoseconds since 1970. */
    public long timeNs;

    /** Names of the fields; points with the same fields share the array. */
    public String[] fields;

    /** Value per field. */
    public double[] values;

    /** Called by serializers. */
    public Point() {}

    /** Creates a point. */
    public Point(String key, long timeNs, String[] fields, double[] values) {
        this.key = key;
        this.timeNs = timeNs;
        this.fields = fields;
        this.values = values;
    }
}
