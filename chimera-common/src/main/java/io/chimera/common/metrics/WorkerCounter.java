package io.chimera.common.metrics;

/** Counters of a worker of jobs over data sets. */
public enum WorkerCounter implements CounterDescriptor {
    SPLITS("splits", "Splits of data sets computed by this node."),
    POINTS("points", "Points accepted from splits computed by this node."),
    REJECTED("rejected", "Events rejected from splits computed by this node."),
    RECEIVED_BYTES("received_bytes", "Bytes of computed splits that this node received from data sources."),
    COPIED_BYTES("copied_bytes", "Bytes of data sets that this node wrote to its copies."),
    NEAR_BYTES("copies_read_bytes", "Bytes of data sets that this node read from its copies."),
    RANGES("ranges", "Ranges of windows whose rows this node stored."),
    ROWS("rows", "Rows of data sets stored by this node."),
    FAILURES(
            "failures", "Failed attempts at splits and ranges of windows; the leader of the job decides what follows."),
    RESULTS_LOST("results_lost", "Results of other workers that this node could not read, to be computed again."),
    BOARD_FAILURES("board_failures", "Failed reads and writes of the record of jobs, to be retried.");

    private final MetricText text;

    WorkerCounter(String what, String help) {
        text = new MetricText("dataset", what, help);
    }

    @Override
    public MetricText text() {
        return text;
    }
}
