package io.chimera.common.metrics;

/** Gauges of a queue node. */
public enum QueueGauge implements GaugeDescriptor {
    /** Datagrams lost in the kernel. */
    SOURCE_DATAGRAMS_DROPPED_KERNEL(
            "source",
            "datagrams_dropped_kernel",
            "Datagrams dropped by the kernel at the socket of a UDP input since its opening; absent if /proc is"
                    + " unreadable."),
    /** Used slots of the ring. */
    RING_SLOTS_USED("ring", "slots_used", "Slots in use between inputs and journal."),
    /** Slots of the ring. */
    RING_SLOTS("ring", "slots", "Slots between inputs and journal."),
    /** Known series. */
    SOURCE_SERIES("source", "series", "Known series of all inputs."),
    /** Copies given up. */
    COPIES_MISSING(
            "acknowledge",
            "copies_missing",
            "Copies of queue.acks currently given up because queue nodes are missing; 0 at full replication."),
    /** Size of the journal on disk. */
    JOURNAL_SIZE_BYTES("journal", "size_bytes", "Bytes of the journal on disk."),
    /** Retained part of the journal. */
    JOURNAL_RETAINED_BYTES(
            "journal", "retained_bytes", "Bytes of the journal already committed and retained only for replays."),
    /** Damage of the journal. */
    JOURNAL_DAMAGES("journal", "damages", "Journal files found damaged at this start, and damaged reads since."),
    /** Journal files in the archive. */
    JOURNAL_FILES_ARCHIVED(
            "journal",
            "files_archived",
            "Journal files stored in the archive before their deletion, since this start."),
    /** Journal files deleted without archiving. */
    JOURNAL_FILES_UNARCHIVED(
            "journal",
            "files_unarchived",
            "Journal files deleted before they were archived: the archive is slow or failed, or room was needed."),
    /** Bytes waiting for the archive. */
    JOURNAL_ARCHIVE_WAITING_BYTES(
            "journal", "archive_waiting_bytes", "Bytes of deletable journal files waiting for the archive."),
    /** Size of the dead letters. */
    DEAD_LETTERS_SIZE_BYTES("dead_letters", "size_bytes", "Bytes of the dead-letter files."),
    /** Size limit of the dead letters. */
    DEAD_LETTERS_LIMIT_BYTES(
            "dead_letters",
            "limit_bytes",
            "Size limit of the dead-letter files in bytes; the oldest dead letters are dropped at the limit.");

    private final String stage;
    private final String what;
    private final String help;

    QueueGauge(String stage, String what, String help) {
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
