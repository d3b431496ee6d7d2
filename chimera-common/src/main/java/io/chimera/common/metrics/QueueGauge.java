package io.chimera.common.metrics;

/** What goes up and down in a queue node. */
public enum QueueGauge implements GaugeDescriptor {
    /** Lost ahead of the socket's reader. */
    SOURCE_DATAGRAMS_DROPPED_KERNEL(
            "source",
            "datagrams_dropped_kernel",
            "Datagrams that the kernel dropped at the socket of a UDP input since it was opened; absent where /proc cannot be read."),
    /** Ring in use. */
    RING_SLOTS_USED("ring", "slots_used", "Slots between inputs and journal that are in use."),
    /** Ring. */
    RING_SLOTS("ring", "slots", "Slots between inputs and journal."),
    /** Series. */
    SOURCE_SERIES("source", "series", "Series that all inputs know at present."),
    /** Copies done without. */
    COPIES_MISSING(
            "acknowledge",
            "copies_missing",
            "Journals of queue.acks that are done without while queue nodes are missing; 0 when all is well."),
    /** Journal on disk. */
    JOURNAL_SIZE_BYTES("journal", "size_bytes", "Bytes of the journal on disk."),
    /** What of it only retention keeps. */
    JOURNAL_RETAINED_BYTES(
            "journal", "retained_bytes", "Bytes of the journal that are committed and kept for replays only."),
    /** Damage of the journal. */
    JOURNAL_DAMAGES(
            "journal", "damages", "Journal files found damaged at this start, and readings that met damage since."),
    /** Files in the archive. */
    JOURNAL_FILES_ARCHIVED(
            "journal",
            "files_archived",
            "Journal files that the archive took since this start, before they were deleted."),
    /** Files that are not. */
    JOURNAL_FILES_UNARCHIVED(
            "journal",
            "files_unarchived",
            "Journal files that were deleted before the archive had them: it is too slow, failed, or room was needed."),
    /** Files that wait. */
    JOURNAL_ARCHIVE_WAITING_BYTES(
            "journal", "archive_waiting_bytes", "Bytes of journal files that need not stay and wait for the archive."),
    /** Dead letters. */
    DEAD_LETTERS_SIZE_BYTES("dead_letters", "size_bytes", "Bytes of the dead-letter files."),
    /** Room for dead letters. */
    DEAD_LETTERS_LIMIT_BYTES("dead_letters", "limit_bytes", "Bytes at which the oldest dead letters are dropped.");

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
