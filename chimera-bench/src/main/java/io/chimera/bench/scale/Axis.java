package io.chimera.bench.scale;

/** What grows from one measurement to the next. */
enum Axis {
    /** Processors beside one queue node. */
    PROCESSORS("processors"),
    /** Queue nodes beside two processors, with one journal per point. */
    QUEUE_NODES("queue_nodes"),
    /** Series of three tags whose points fall into a hundred groups. */
    SERIES("series"),
    /** Series of three tags that are a group each, whose rows are written with every cycle they come in. */
    GROUPS("groups"),
    /** Tags of a thousand series that are a group each. */
    TAGS("tags");

    private final String figure;

    Axis(String figure) {
        this.figure = figure;
    }

    /** Begins the names of its figures. */
    String figure() {
        return figure;
    }

    /** Whether processes are added, so that the rate counts and not only the cost. */
    boolean isOfNodes() {
        return this == PROCESSORS || this == QUEUE_NODES;
    }
}
