package io.chimera.common.metrics;

/** Every counter of a processor, by stage from the channel to the store. */
public enum ProcessorCounter implements CounterDescriptor {
    // extractor

    /** Connections of queue nodes. */
    EXTRACTOR_CONNECTIONS("extractor", "connections", "Connections of queue nodes that introduced themselves."),
    /** Connections closed for what came over them. */
    EXTRACTOR_CONNECTIONS_REFUSED(
            "extractor",
            "connections_refused",
            "Connections closed because of another cluster, another protocol version, a session that is not that of a live"
                    + " queue node or has a connection already, or a frame of no known form."),
    /** Frames received. */
    EXTRACTOR_FRAMES("extractor", "frames", "Frames with records, or the end of a part, that were received."),
    /** Bytes received. */
    EXTRACTOR_BYTES("extractor", "bytes", "Bytes of these frames."),
    /** Times without a free slot. */
    EXTRACTOR_RING_FULL("extractor", "ring_full", "Times that a frame found all slots in use and had to wait."),

    // staging

    /** Copies of data points folded. */
    STAGING_COPIES("staging", "copies", "Copies of data points folded: one per pipeline that takes the point."),
    /** Copies that were put together. */
    STAGING_COPIES_COMBINED(
            "staging",
            "copies_combined",
            "Of these, copies that the queue node put together (aggregate.combine_after)."),
    /** Data points folded, each counted once. */
    STAGING_POINTS("staging", "points", "Data points folded, each once however many pipelines take it."),
    /** Data points too old. */
    STAGING_POINTS_LATE(
            "staging", "points_late", "Data points further before the time of their cycle than late_after."),
    /** Data points that cannot be aggregated. */
    STAGING_POINTS_REJECTED(
            "staging",
            "points_rejected",
            "Data points that cannot be aggregated: without a field, too long a key, or an aggregator throws at them."),
    /** Data points at which a plugin throws. */
    STAGING_POINTS_POISONED(
            "staging",
            "points_poisoned",
            "Copies of data points at which an aggregator threw; they are in the dead letters."),
    /** Dead letters lost. */
    STAGING_LETTERS_LOST(
            "staging",
            "letters_lost",
            "Such data points that the dead-letter file could not take. Anything but 0 needs action."),
    /** Frames of no use. */
    STAGING_FRAMES_IGNORED(
            "staging",
            "frames_ignored",
            "Frames of cycles or shards not assigned here or committed already, or that continue no transmission."),
    /** Frames of other sessions than the owner. */
    STAGING_FRAMES_FOREIGN(
            "staging",
            "frames_foreign",
            "Frames and parts dropped because their sender does not own the part; it is requested from the owner."),
    /** Frames too early. */
    STAGING_FRAMES_REFUSED(
            "staging", "frames_refused", "Frames too far ahead of the known cycles, or beyond the staging limits."),
    /** Frames broken. */
    STAGING_FRAMES_BROKEN(
            "staging",
            "frames_broken",
            "Frames with broken records or an unknown pipeline. Anything but 0 is a defect."),
    /** Times that a frame had to wait. */
    STAGING_WAITS("staging", "waits", "Times that a frame had to wait: for its cycle to be known, or for the flusher."),
    /** Parts begun anew. */
    STAGING_PARTS_RESTARTED("staging", "parts_restarted", "Parts dropped because a sender began them anew."),
    /** Parts that did not add up. */
    STAGING_PARTS_MISMATCHED(
            "staging", "parts_mismatched", "Parts dropped because count or checksum at their end did not agree."),
    /** Parts dropped for room. */
    STAGING_PARTS_FULL("staging", "parts_full", "Parts dropped because the warehouse was at its limit."),
    /** Shards divided. */
    STAGING_SHARDS_DIVIDED(
            "staging", "shards_divided", "Shards or slices divided in two because the warehouse was at its limit."),
    /** Slices rejected. */
    STAGING_PARTS_REJECTED(
            "staging",
            "parts_rejected",
            "Parts of slices that no division makes fit into the warehouse; their data points are rejected."),
    /** Parts dropped for a plugin. */
    STAGING_PARTS_FAILED(
            "staging", "parts_failed", "Parts dropped because an aggregator threw; they come again, record by record."),
    /** Parts complete. */
    STAGING_PARTS_WHOLE("staging", "parts_whole", "Parts staged whole."),
    /** Parts asked for. */
    STAGING_NEEDS("staging", "needs", "Times that a part was asked for (NEED)."),

    // composer

    /** Points that left a composition. */
    COMPOSER_POINTS_EMITTED("composer", "points_emitted", "Data points that left a composition."),
    /** Points that left a composition and cannot be aggregated. */
    COMPOSER_POINTS_DROPPED(
            "composer",
            "points_dropped",
            "Data points that left a composition and are too long, or at which an aggregator throws."),
    /** Points at which a block threw. */
    COMPOSER_POINTS_POISONED(
            "composer", "points_poisoned", "Data points at which a block threw; they are in the dead letters."),
    /** Texts that are no rows. */
    COMPOSER_TEXTS_DROPPED(
            "composer", "texts_dropped", "Fields with text of points that become rows: a store takes numbers."),
    /** Rows that another took the place of. */
    COMPOSER_ROWS_REPLACED(
            "composer",
            "rows_replaced",
            "Rows in whose place a later one of the same series, field and millisecond was written."),
    /** Results that did not fit. */
    COMPOSER_FULL("composer", "full", "Shards whose composition was stopped at a limit; they are tried again."),
    /** States built anew. */
    COMPOSER_REBUILDS("composer", "rebuilds", "Times that states were built anew out of past cycles."),
    /** States built anew of less than their horizon. */
    COMPOSER_REBUILDS_SHORT(
            "composer", "rebuilds_short", "Of these, those for which no journal held all cycles of the horizon."),
    /** Past cycles run. */
    COMPOSER_PAST_CYCLES("composer", "past_cycles", "Past cycles that states were built anew of."),

    // flusher

    /** Shards to flush. */
    FLUSHER_SHARDS("flusher", "shards", "Whole shards of a cycle handed over to be flushed."),
    /** Slices flushed. */
    FLUSHER_SLICES("flusher", "slices", "Slices flushed of shards that do not fit at once, without each shard's last."),
    /** Rows written. */
    FLUSHER_ROWS("flusher", "rows", "Rows that a store acknowledged."),
    /** Rows that have no value. */
    FLUSHER_ROWS_NOT_FINITE("flusher", "rows_not_finite", "Results that overflowed and were not written."),
    /** Rows refused. */
    FLUSHER_ROWS_REFUSED(
            "flusher",
            "rows_refused",
            "Rows that a store cannot take although it takes others; they are in the dead letters."),
    /** Rows at which a store fails. */
    FLUSHER_ROWS_POISONED(
            "flusher",
            "rows_poisoned",
            "Of these, rows at which the store failed each time without calling them bad, e.g. with status 500."),
    /** Results that cannot be computed. */
    FLUSHER_ROWS_FAILED(
            "flusher",
            "rows_failed",
            "Rows that were not written because an aggregator threw at their result; they are in the dead letters."),
    /** Rows read back. */
    FLUSHER_ROWS_VERIFIED("flusher", "rows_verified", "Rows that were read back and found as they were written."),
    /** Rows written again. */
    FLUSHER_ROWS_REWRITTEN(
            "flusher",
            "rows_rewritten",
            "Rows that a store acknowledged but did not show, and that were written again."),
    /** Rows of another value. */
    FLUSHER_ROWS_CORRUPT(
            "flusher",
            "rows_corrupt",
            "Rows that a store kept showing with another value, and that were written again. Anything but 0 needs action."),
    /** Rows beyond the bound of the dead letters. */
    FLUSHER_ROWS_LOST(
            "flusher",
            "rows_lost",
            "Refused rows that the dead-letter file could not take. Anything but 0 needs action."),
    /** Shards flushed. */
    FLUSHER_SHARDS_FLUSHED("flusher", "shards_flushed", "Shards of which the stores acknowledged every row (FLUSHED)."),
    /** Shards verified. */
    FLUSHER_SHARDS_VERIFIED(
            "flusher",
            "shards_verified",
            "Shards of which every row of the pipelines with exactly_once was read back (VERIFIED)."),
    /** Commits asked for. */
    FLUSHER_COMMITS("flusher", "commits", "Commits asked for, repeated ones included."),
    /** Shards committed. */
    FLUSHER_SHARDS_COMMITTED("flusher", "shards_committed", "Shards whose commit of this processor was seen."),
    /** Shards overtaken. */
    FLUSHER_SHARDS_OVERTAKEN(
            "flusher", "shards_overtaken", "Shards given up because another processor has or committed them."),

    // dead letters

    /** Letters that gave way. */
    LETTERS_OLD_DROPPED(
            "letters",
            "old_dropped",
            "Oldest dead letters dropped because their files reached their limit. Anything but 0 needs action."),

    // store

    /** Batches written. */
    STORE_BATCHES("store", "batches", "Batches that a store acknowledged."),
    /** Batches that failed. */
    STORE_BATCHES_FAILED("store", "batches_failed", "Batches that a store did not take and that are tried again."),
    /** Outages. */
    STORE_OUTAGES(
            "store", "outages", "Times that a store stopped taking rows, or began to refuse more than refused_max."),
    /** Known-good rows. */
    STORE_PROBES(
            "store",
            "probes",
            "Known-good rows written to find out whether refused rows are bad or the store is away."),
    /** Reads. */
    STORE_READS("store", "reads", "Times that rows were read back from a store.");

    private final String stage;
    private final String what;
    private final String help;

    ProcessorCounter(String stage, String what, String help) {
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
