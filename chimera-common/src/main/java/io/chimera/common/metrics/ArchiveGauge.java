package io.chimera.common.metrics;

/** What goes up and down in a process that archives. */
public enum ArchiveGauge implements GaugeDescriptor {
    /** Size. */
    VOLUME_SIZE_BYTES("size_bytes", "Bytes of all data blocks of the volume."),
    /** Guarantees. */
    VOLUME_GUARANTEED_BYTES("guaranteed_bytes", "Bytes that streams are guaranteed, together."),
    /** Written since the start. */
    VOLUME_WRITTEN_BYTES("written_bytes", "Bytes written to the devices since the start, headers and padding counted."),
    /** Turns. */
    VOLUME_TURNS("turns", "How often the write frontier has gone around the volume."),
    /** Damage. */
    VOLUME_BLOCKS_DAMAGED("blocks_damaged", "Blocks that could not be read when the volume was opened."),
    /** Not durable yet. */
    VOLUME_RECORDS_WAITING("records_waiting", "Records appended that a loss of power would still take."),
    /** Failure. */
    VOLUME_FAILED("failed", "1: a device failed and nothing more is taken; 0: all is well."),
    /** Index of others. */
    SHARED_HELD_BYTES("shared", "held_bytes", "Bytes of memory with the indexes of archive nodes, as an index node."),
    /** Its spans. */
    SHARED_HELD_SPANS("shared", "held_spans", "Spans of time held for archive nodes, counted for each of them."),
    /** Not shared yet. */
    SHARED_SPANS_BEHIND("shared", "spans_behind", "Spans of this node that are over and that no index node holds.");

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
