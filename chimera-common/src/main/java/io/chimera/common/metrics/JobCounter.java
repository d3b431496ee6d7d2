package io.chimera.common.metrics;

/** Counters of one job over a data set at one node, with the label {@code job}. */
public enum JobCounter implements CounterDescriptor {
    BYTES("bytes", "Bytes of a job's splits computed by this node, as stored at the source."),
    POINTS("points", "Points of a job accepted from splits computed by this node."),
    REJECTED("rejected", "Events of a job rejected from splits computed by this node."),
    SPLITS("splits", "Splits of a job computed by this node."),
    SPLITS_SKIPPED("splits_skipped", "Splits without rows, counted once by the node that leads the job."),
    ROWS("rows", "Rows of a job stored by this node."),
    FAILURES("failures", "Failed attempts of this node at splits and ranges of windows of a job.");

    private final MetricText text;

    JobCounter(String what, String help) {
        text = new MetricText("dataset_job", what, help);
    }

    @Override
    public MetricText text() {
        return text;
    }
}
