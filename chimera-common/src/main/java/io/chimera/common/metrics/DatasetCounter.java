package io.chimera.common.metrics;

/** Counters of a node's part in jobs over data sets. */
public enum DatasetCounter implements CounterDescriptor {
    RECORDS_MALFORMED("records_malformed", "Records of jobs ignored because of invalid content."),
    PARTS_SENT("parts_sent", "Parts of results sent to other nodes and commands."),
    BYTES_SENT("bytes_sent", "Bytes of results sent to other nodes and commands."),
    REQUESTS_REFUSED("requests_refused", "Requests for results that were malformed, unknown, or too many at a time.");

    private final MetricText text;

    DatasetCounter(String what, String help) {
        text = new MetricText("dataset", what, help);
    }

    @Override
    public MetricText text() {
        return text;
    }
}
