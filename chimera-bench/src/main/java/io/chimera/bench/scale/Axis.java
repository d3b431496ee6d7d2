package io.chimera.bench.scale;

/** Variables of the scale measurements. */
enum Axis {
    /** Number of processors, with one queue node. */
    PROCESSORS("processors"),
    /** Number of queue nodes, with two processors and one journal per point. */
    QUEUE_NODES("queue_nodes"),
    /** Number of series with three tags, whose points fall into a hundred groups. */
    SERIES("series"),
    /**
     * Number of series with three tags, one group each, whose rows are written for every cycle with points of the
     * series.
     */
    GROUPS("groups"),
    /** Number of tags of a thousand series, one group each. */
    TAGS("tags");

    private final String figure;

    Axis(String figure) {
        this.figure = figure;
    }

    /** Returns the prefix of its figures. */
    String figure() {
        return figure;
    }

    /** Returns whether processes are added; then the rate counts in addition to the cost. */
    boolean isOfNodes() {
        return this == PROCESSORS || this == QUEUE_NODES;
    }
}
