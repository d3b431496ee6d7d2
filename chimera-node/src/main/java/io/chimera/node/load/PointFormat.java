package io.chimera.node.load;

import java.nio.charset.StandardCharsets;

/** Format of the generated points. */
public enum PointFormat {
    /** InfluxDB line protocol, time in nanoseconds. */
    INFLUX,
    /** KairosDB telnet ({@code put}), time in milliseconds. */
    KAIROS_TELNET,
    /** KairosDB JSON, time in milliseconds. */
    KAIROS_JSON;

    /** Number of hosts over which the series are spread, as a tag for pipelines to group by. */
    static final int HOSTS = 20;

    /**
     * Appends a point to a batch.
     *
     * @param out the text of the batch
     * @param series number of the series
     * @param value the value
     * @param timeNs nanoseconds since 1970
     */
    void append(StringBuilder out, int series, long value, long timeNs) {
        switch (this) {
            case INFLUX ->
                out.append(LoadPlan.METRIC)
                        .append(",host=host-")
                        .append(series % HOSTS)
                        .append(",series=s")
                        .append(series)
                        .append(' ')
                        .append(LoadPlan.FIELD)
                        .append('=')
                        .append(value)
                        .append(".0 ")
                        .append(timeNs)
                        .append('\n');
            case KAIROS_TELNET ->
                out.append("put ")
                        .append(LoadPlan.METRIC)
                        .append(' ')
                        .append(timeNs / 1_000_000)
                        .append(' ')
                        .append(value)
                        .append(".0 host=host-")
                        .append(series % HOSTS)
                        .append(" series=s")
                        .append(series)
                        .append('\n');
            case KAIROS_JSON ->
                out.append(out.length() == 0 ? "[" : ",\n")
                        .append("{\"name\":\"")
                        .append(LoadPlan.METRIC)
                        .append("\",\"tags\":{\"host\":\"host-")
                        .append(series % HOSTS)
                        .append("\",\"series\":\"s")
                        .append(series)
                        .append("\"},\"timestamp\":")
                        .append(timeNs / 1_000_000)
                        .append(",\"type\":\"double\",\"value\":")
                        .append(value)
                        .append(".0}");
        }
    }

    /** Completes a batch and returns its bytes. */
    byte[] finish(StringBuilder out) {
        if (this == KAIROS_JSON && out.length() > 0) {
            out.append(']');
        }
        return out.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
