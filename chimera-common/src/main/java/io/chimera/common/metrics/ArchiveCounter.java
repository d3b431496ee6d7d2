package io.chimera.common.metrics;

/** Counters of an archiving process, from packet capture to query answers. */
public enum ArchiveCounter implements CounterDescriptor {
    ARCHIVE_PACKETS("archive", "packets", "Packets appended to the archive."),
    ARCHIVE_BYTES("archive", "packet_bytes", "Captured bytes of the archived packets."),
    ARCHIVE_POINTS("archive", "points", "Data points appended to the archive."),
    ARCHIVE_POINTS_AGAIN(
            "archive",
            "points_again",
            "Data points appended again that the archive may already contain; answers contain the later copy."),
    ARCHIVE_INTERVALS(
            "archive",
            "intervals",
            "Intervals (records of consecutive packets or data points) appended to data streams."),
    ARCHIVE_INTERVAL_BYTES("archive", "interval_bytes", "Bytes of the appended intervals, headers included."),
    ARCHIVE_STALLS(
            "archive",
            "stalls",
            "Waits of an interval for a slow device or index; meanwhile new data wait in the capture or the"
                    + " processor."),
    ARCHIVE_INTERVALS_REINDEXED(
            "archive", "intervals_reindexed", "Intervals read again at the start because the index lacked them."),
    ARCHIVE_INTERVALS_FOREIGN(
            "archive",
            "intervals_foreign",
            "Intact records of data streams in an unknown format, excluded from the index at the start."),
    ARCHIVE_INTERVALS_OUTLIVED(
            "archive",
            "intervals_outlived",
            "Intervals still stored after their part of the index was overwritten: queries read them and are slow."
                    + " Reduce the guarantee of the stream, or enlarge the volume."),
    ARCHIVE_DROPPED_RING(
            "archive",
            "packets_dropped_ring",
            "Packets lost because the capture's socket or ring was full: the archive was too slow."),
    ARCHIVE_DROPPED_INTERFACE(
            "archive", "packets_dropped_interface", "Packets dropped by the interface, for any receiver."),
    ARCHIVE_TRUNCATED("archive", "packets_truncated", "Packets archived with fewer bytes than on the wire."),

    // queries

    QUERY_ASKED("query", "asked", "Queries received."),
    QUERY_REFUSED("query", "refused", "Queries refused: invalid, or too many at a time."),
    QUERY_TURNED_AWAY(
            "query",
            "turned_away",
            "Queries of other archive nodes refused because too many were running; the other nodes retry."),
    QUERY_FAILED("query", "failed", "Queries whose answer ended early because of a failure or a disconnected client."),
    QUERY_OUT_OF_TIME("query", "out_of_time", "Queries whose answer ended early at the time limit."),
    QUERY_PACKETS("query", "packets", "Packets in answers."),
    QUERY_POINTS("query", "points", "Data points in answers."),
    QUERY_INTERVALS_READ("query", "intervals_read", "Intervals read to answer queries."),
    QUERY_INTERVALS_SKIPPED("query", "intervals_skipped", "Intervals excluded by the index."),
    QUERY_INTERVALS_DAMAGED("query", "intervals_damaged", "Unreadable intervals; answers lack their content."),

    // the shared index of all archive nodes of a cluster

    SHARED_SENT_BYTES("shared", "sent_bytes", "Bytes of index parcels sent to other nodes, retries included."),
    SHARED_GROUPS_SENT("shared", "groups_sent", "Groups of intervals in index parcels, those for this node included."),
    SHARED_SPANS_SENT(
            "shared",
            "spans_sent",
            "Time spans completely accepted by an index node, counted again after a change of the index node."),
    SHARED_PARCELS_FAILED("shared", "parcels_failed", "Unanswered parcels; their content is sent again."),
    SHARED_TAKEN_BACK("shared", "taken_back", "Late packets for a time span already announced as complete."),
    SHARED_RECEIVED_BYTES("shared", "received_bytes", "Bytes of parcels received by this node as an index node."),
    SHARED_SPANS_DROPPED("shared", "spans_dropped", "Time spans dropped by this index node for lack of memory."),
    SHARED_NODES_ASKED("shared", "nodes_asked", "Nodes queried by this node for cluster queries."),
    SHARED_NODES_SKIPPED("shared", "nodes_skipped", "Nodes excluded from cluster queries by the shared index."),
    SHARED_NODES_ABSENT(
            "shared",
            "nodes_absent",
            "Nodes without a complete answer to a cluster query; the answers name these nodes.");

    private final MetricText text;

    ArchiveCounter(String stage, String what, String help) {
        text = new MetricText(stage, what, help);
    }

    @Override
    public MetricText text() {
        return text;
    }
}
