package io.chimera.common.metrics;

/** Gauges of a queue node. */
public enum QueueGauge implements GaugeDescriptor {
    SOURCE_DATAGRAMS_DROPPED_KERNEL(
            "source",
            "datagrams_dropped_kernel",
            "Datagrams dropped by the kernel at the socket of a UDP input since its opening; absent if /proc is"
                    + " unreadable."),
    RING_SLOTS_USED("ring", "slots_used", "Slots in use between inputs and journal."),
    RING_SLOTS("ring", "slots", "Slots between inputs and journal."),
    SOURCE_SERIES("source", "series", "Known series of all inputs."),
    COPIES_MISSING(
            "acknowledge",
            "copies_missing",
            "Copies of queue.acks currently given up because queue nodes are dead; 0 at full replication."),
    JOURNAL_SIZE_BYTES("journal", "size_bytes", "Bytes of the journal on disk."),
    JOURNAL_RETAINED_BYTES(
            "journal", "retained_bytes", "Bytes of the journal already committed and retained only for replays."),
    JOURNAL_DAMAGES("journal", "damages", "Journal files found damaged at this start, and damaged reads since."),
    JOURNAL_FILES_ARCHIVED(
            "journal",
            "files_archived",
            "Journal files stored in the archive before their deletion, since this start."),
    JOURNAL_FILES_UNARCHIVED(
            "journal",
            "files_unarchived",
            "Journal files deleted before they were archived: the archive is slow or failed, or room was needed."),
    JOURNAL_ARCHIVE_WAITING_BYTES(
            "journal", "archive_waiting_bytes", "Bytes of deletable journal files waiting for the archive."),
    DEAD_LETTERS_SIZE_BYTES("dead_letters", "size_bytes", "Bytes of the dead-letter files."),
    DEAD_LETTERS_LIMIT_BYTES(
            "dead_letters",
            "limit_bytes",
            "Size limit of the dead-letter files in bytes; the oldest dead letters are dropped at the limit.");

    private final MetricText text;

    QueueGauge(String stage, String what, String help) {
        text = new MetricText(stage, what, help);
    }

    @Override
    public MetricText text() {
        return text;
    }
}
