package io.chimera.common.metrics;

/** Gauges of an archiving process. */
public enum ArchiveGauge implements GaugeDescriptor {
    VOLUME_SIZE_BYTES("size_bytes", "Bytes of all data blocks of the volume."),
    VOLUME_GUARANTEED_BYTES("guaranteed_bytes", "Sum of the guarantees of all streams, in bytes."),
    VOLUME_WRITTEN_BYTES(
            "written_bytes", "Bytes written to the devices since the start, headers and padding included."),
    VOLUME_TURNS("turns", "Completed turns of the write frontier around the volume."),
    VOLUME_BLOCKS_DAMAGED("blocks_damaged", "Unreadable blocks found at the opening of the volume."),
    VOLUME_RECORDS_WAITING("records_waiting", "Appended records not yet durable."),
    VOLUME_FAILED("failed", "1 after a device failure, when the volume accepts no data; otherwise 0."),
    SHARED_HELD_BYTES(
            "shared", "held_bytes", "Bytes of memory used by this index node for the indexes of archive nodes."),
    SHARED_HELD_SPANS("shared", "held_spans", "Time spans stored by this index node, counted per archive node."),
    SHARED_SPANS_BEHIND(
            "shared", "spans_behind", "Finished time spans of this node not yet accepted by an index node.");

    private final MetricText text;

    ArchiveGauge(String what, String help) {
        this("volume", what, help);
    }

    ArchiveGauge(String stage, String what, String help) {
        text = new MetricText(stage, what, help);
    }

    @Override
    public MetricText text() {
        return text;
    }
}
