package io.chimera.common.metrics;

/** Gauges of an archiving process. */
public enum ArchiveGauge implements GaugeDescriptor {
    /** Size. */
    VOLUME_SIZE_BYTES("size_bytes", "Bytes of all data blocks of the volume."),
    /** Guarantees. */
    VOLUME_GUARANTEED_BYTES("guaranteed_bytes", "Sum of the guarantees of all streams, in bytes."),
    /** Bytes written since the start. */
    VOLUME_WRITTEN_BYTES(
            "written_bytes", "Bytes written to the devices since the start, headers and padding included."),
    /** Turns. */
    VOLUME_TURNS("turns", "Completed turns of the write frontier around the volume."),
    /** Damage. */
    VOLUME_BLOCKS_DAMAGED("blocks_damaged", "Unreadable blocks found at the opening of the volume."),
    /** Records without durability yet. */
    VOLUME_RECORDS_WAITING("records_waiting", "Appended records not yet durable."),
    /** Failure. */
    VOLUME_FAILED("failed", "1 after a device failure, when the volume accepts no data; otherwise 0."),
    /** Memory for the indexes of other nodes. */
    SHARED_HELD_BYTES(
            "shared", "held_bytes", "Bytes of memory used by this index node for the indexes of archive nodes."),
    /** Spans of other nodes. */
    SHARED_HELD_SPANS("shared", "held_spans", "Time spans stored by this index node, counted per archive node."),
    /** Spans without an index node. */
    SHARED_SPANS_BEHIND(
            "shared", "spans_behind", "Finished time spans of this node not yet accepted by an index node.");

    private final String stage;
    private final String what;
    private final String help;

    ArchiveGauge(String what, String help) {
        this("volume", what, help);
    }

    ArchiveGauge(String stage, String what, String help) {
        this.stage = stage;
        this.what = what;
        this.help = help;
    }

    @Override
    public String stage() {
        return stage;
    }

    @Override
    public String what() {
        return what;
    }

    @Override
    public String help() {
        return help;
    }
}
