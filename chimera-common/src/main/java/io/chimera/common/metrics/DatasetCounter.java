package io.chimera.common.metrics;

/** Counters of a node's part in jobs over data sets. */
public enum DatasetCounter implements CounterDescriptor {
    RECORDS_MALFORMED("records_malformed", "Records of jobs ignored because of invalid content.");

    private final MetricText text;

    DatasetCounter(String what, String help) {
        text = new MetricText("dataset", what, help);
    }

    @Override
    public MetricText text() {
        return text;
    }
}
