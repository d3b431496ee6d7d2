package io.chimera.common.metrics;

/** Every counter of a process that archives, from the packets it takes to the questions it answers. */
public enum ArchiveCounter implements CounterDescriptor {
    /** Packets archived. */
    ARCHIVE_PACKETS("archive", "packets", "Packets appended to the archive."),
    /** Their bytes. */
    ARCHIVE_BYTES("archive", "packet_bytes", "Bytes of these packets, as far as they were captured."),
    /** Points archived. */
    ARCHIVE_POINTS("archive", "points", "Data points appended to the archive."),
    /** Points that may be there twice. */
    ARCHIVE_POINTS_AGAIN(
            "archive",
            "points_again",
            "Data points that may have been in the archive already; answers have the later ones."),
    /** Intervals. */
    ARCHIVE_INTERVALS(
            "archive",
            "intervals",
            "Intervals appended to data streams: records of consecutive packets or data points."),
    /** Bytes of intervals. */
    ARCHIVE_INTERVAL_BYTES("archive", "interval_bytes", "Bytes of these intervals, all headers included."),
    /** Waits for the device. */
    ARCHIVE_STALLS(
            "archive",
            "stalls",
            "Times that an interval had to wait as the device or the index did not keep up. What comes meanwhile waits in the capture, or in the processor."),
    /** Intervals indexed again. */
    ARCHIVE_INTERVALS_REINDEXED(
            "archive", "intervals_reindexed", "Intervals read again at the start, as the index did not hold them yet."),
    /** Records that are no intervals. */
    ARCHIVE_INTERVALS_FOREIGN(
            "archive",
            "intervals_foreign",
            "Records of data streams that are intact and none that this version reads: left out of the index at the start."),
    /** Intervals without their index. */
    ARCHIVE_INTERVALS_OUTLIVED(
            "archive",
            "intervals_outlived",
            "Intervals that were still held when their part of the index was overwritten: questions read them, and are slow. Make"
                    + " the guarantee of the stream smaller, or the volume larger."),
    /** Lost to a full ring. */
    ARCHIVE_DROPPED_RING(
            "archive",
            "packets_dropped_ring",
            "Packets lost as the socket or ring of the capture was full: the archive was too slow."),
    /** Lost ahead of the socket. */
    ARCHIVE_DROPPED_INTERFACE(
            "archive", "packets_dropped_interface", "Packets that the interface dropped, whoever they were for."),
    /** Cut packets. */
    ARCHIVE_TRUNCATED("archive", "packets_truncated", "Packets archived with fewer bytes than they had on the wire."),

    // questions

    /** Questions. */
    QUERY_ASKED("query", "asked", "Questions asked."),
    /** Refused questions. */
    QUERY_REFUSED("query", "refused", "Questions refused: not understood, or too many at a time."),
    /** Questions turned away. */
    QUERY_TURNED_AWAY(
            "query",
            "turned_away",
            "Questions of other archive nodes that were refused as too many were being answered; they ask again."),
    /** Failed questions. */
    QUERY_FAILED("query", "failed", "Questions whose answer ended early: by a failure, or as who asked went away."),
    /** Questions whose time was over. */
    QUERY_OUT_OF_TIME("query", "out_of_time", "Questions whose answer ended early as their time was over."),
    /** Packets found. */
    QUERY_PACKETS("query", "packets", "Packets in answers."),
    /** Points found. */
    QUERY_POINTS("query", "points", "Data points in answers."),
    /** Intervals read. */
    QUERY_INTERVALS_READ("query", "intervals_read", "Intervals read to answer questions."),
    /** Intervals spared. */
    QUERY_INTERVALS_SKIPPED("query", "intervals_skipped", "Intervals that the index ruled out."),
    /** Intervals gone. */
    QUERY_INTERVALS_DAMAGED(
            "query", "intervals_damaged", "Intervals that could not be read; what they hold lacks in the answer."),

    // the index of all archive nodes of a cluster

    /** Bytes sent to index nodes. */
    SHARED_SENT_BYTES(
            "shared", "sent_bytes", "Bytes of parcels with index brought to other nodes, those tried again included."),
    /** Groups sent. */
    SHARED_GROUPS_SENT(
            "shared", "groups_sent", "Groups of intervals in these parcels, and in those for this node itself."),
    /** Spans sent. */
    SHARED_SPANS_SENT(
            "shared",
            "spans_sent",
            "Spans of time that an index node has taken whole; again where the index node changed."),
    /** Parcels lost. */
    SHARED_PARCELS_FAILED(
            "shared", "parcels_failed", "Parcels that were not answered; what was in them is brought again."),
    /** Spans taken back. */
    SHARED_TAKEN_BACK(
            "shared",
            "taken_back",
            "Times that packets came so late that others had been told there would be no more."),
    /** Bytes received. */
    SHARED_RECEIVED_BYTES("shared", "received_bytes", "Bytes of parcels that this node took as an index node."),
    /** Spans dropped. */
    SHARED_SPANS_DROPPED(
            "shared", "spans_dropped", "Spans that this node dropped as an index node, for want of memory."),
    /** Nodes asked. */
    SHARED_NODES_ASKED("shared", "nodes_asked", "Nodes that questions to the cluster were put to by this node."),
    /** Nodes left out. */
    SHARED_NODES_SKIPPED(
            "shared",
            "nodes_skipped",
            "Nodes that such questions were not put to, as the shared index ruled them out."),
    /** Nodes that could not be asked. */
    SHARED_NODES_ABSENT(
            "shared", "nodes_absent", "Nodes that could not be asked, or not to the end; the answers named them.");

    private final String stage;
    private final String what;
    private final String help;

    ArchiveCounter(String stage, String what, String help) {
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
