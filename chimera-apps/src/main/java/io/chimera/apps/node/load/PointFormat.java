package io.chimera.apps.node.load;

import java.nio.charset.StandardCharsets;

/** How a generated point is written. */
public enum PointFormat {
    /** InfluxDB line protocol with nanoseconds. */
    INFLUX,
    /** KairosDB telnet: {@code put}, milliseconds. */
    KAIROS_TELNET,
    /** An element of KairosDB's JSON, milliseconds. */
    KAIROS_JSON;

    /** Hosts over which the series are spread, so that a pipeline has something to group by. */
    static final int HOSTS = 20;

    /**
     * Writes a point at the end of a text.
     *
     * @param out the text
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

    /** The bytes of a batch. */
    byte[] finish(StringBuilder out) {
        if (this == KAIROS_JSON && out.length() > 0) {
            out.append(']');
        }
        return out.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
