package io.chimera.common.metrics;

/** Counters of a processor, by stage from channel to store. */
public enum ProcessorCounter implements CounterDescriptor {
    // extractor

    /** Connections of queue nodes. */
    EXTRACTOR_CONNECTIONS("extractor", "connections", "Connections of queue nodes with a valid HELLO."),
    /** Refused connections. */
    EXTRACTOR_CONNECTIONS_REFUSED(
            "extractor",
            "connections_refused",
            "Connections closed because of a wrong cluster, protocol version or session (not that of a live"
                    + " queue node, or already connected), or an unknown frame."),
    /** Frames received. */
    EXTRACTOR_FRAMES("extractor", "frames", "Frames received with records or the end of a part."),
    /** Bytes received. */
    EXTRACTOR_BYTES("extractor", "bytes", "Bytes of the received frames."),
    /** Waits for a free slot. */
    EXTRACTOR_RING_FULL("extractor", "ring_full", "Waits of a frame because all slots were in use."),

    // staging

    /** Copies of data points aggregated. */
    STAGING_COPIES("staging", "copies", "Copies of data points aggregated, one per accepting pipeline."),
    /** Pre-aggregated copies. */
    STAGING_COPIES_COMBINED(
            "staging",
            "copies_combined",
            "Copies pre-aggregated by the queue node (aggregate.combine_after); part of copies."),
    /** Data points aggregated, each counted once. */
    STAGING_POINTS("staging", "points", "Data points aggregated, each counted once for any number of pipelines."),
    /** Late data points. */
    STAGING_POINTS_LATE(
            "staging", "points_late", "Data points older than late_after, relative to the time of their cycle."),
    /** Rejected data points. */
    STAGING_POINTS_REJECTED(
            "staging",
            "points_rejected",
            "Data points rejected by the aggregation: missing field, too long key, or a failing aggregator."),
    /** Data points with a failing aggregator. */
    STAGING_POINTS_POISONED(
            "staging",
            "points_poisoned",
            "Copies of data points written to the dead letters because an aggregator failed."),
    /** Lost dead letters. */
    STAGING_LETTERS_LOST(
            "staging",
            "letters_lost",
            "Poisoned data points missing in the dead-letter file. Values above 0 need action."),
    /** Ignored frames. */
    STAGING_FRAMES_IGNORED(
            "staging",
            "frames_ignored",
            "Frames ignored: cycle or shard not assigned here or already committed, or unknown transmission."),
    /** Frames of a sender other than the owner. */
    STAGING_FRAMES_FOREIGN(
            "staging",
            "frames_foreign",
            "Frames and parts dropped because their sender does not own the part; the owner is asked to send it."),
    /** Refused frames. */
    STAGING_FRAMES_REFUSED(
            "staging", "frames_refused", "Frames refused because their cycle is too new or staging is at its limits."),
    /** Invalid frames. */
    STAGING_FRAMES_BROKEN(
            "staging",
            "frames_broken",
            "Frames with invalid records or an unknown pipeline. Values above 0 are a defect."),
    /** Waiting frames. */
    STAGING_WAITS("staging", "waits", "Waits of a frame for the view of its cycle or for the flusher."),
    /** Restarted parts. */
    STAGING_PARTS_RESTARTED(
            "staging", "parts_restarted", "Parts dropped because their sender began a new transmission."),
    /** Parts with a mismatch of their totals. */
    STAGING_PARTS_MISMATCHED(
            "staging", "parts_mismatched", "Parts dropped because of a mismatch of END count or checksum."),
    /** Parts dropped for lack of memory. */
    STAGING_PARTS_FULL("staging", "parts_full", "Parts dropped because the warehouse was full."),
    /** Shards divided. */
    STAGING_SHARDS_DIVIDED(
            "staging", "shards_divided", "Shards or slices divided in two because the warehouse was full."),
    /** Rejected parts of slices. */
    STAGING_PARTS_REJECTED(
            "staging",
            "parts_rejected",
            "Parts of slices too large for the warehouse and not divisible; their data points are rejected."),
    /** Parts dropped because of a plugin failure. */
    STAGING_PARTS_FAILED(
            "staging",
            "parts_failed",
            "Parts dropped because an aggregator failed; they are retransmitted record by record."),
    /** Completed parts. */
    STAGING_PARTS_WHOLE("staging", "parts_whole", "Parts completely staged."),
    /** Requests for parts. */
    STAGING_NEEDS("staging", "needs", "Requests for a missing part (NEED)."),

    // composer

    /** Points emitted by compositions. */
    COMPOSER_POINTS_EMITTED("composer", "points_emitted", "Data points emitted by compositions."),
    /** Emitted points without aggregation. */
    COMPOSER_POINTS_DROPPED(
            "composer",
            "points_dropped",
            "Data points emitted by a composition but dropped: too long, or a failing aggregator."),
    /** Points with a failing block. */
    COMPOSER_POINTS_POISONED(
            "composer", "points_poisoned", "Data points written to the dead letters because a block failed."),
    /** Dropped text fields. */
    COMPOSER_TEXTS_DROPPED(
            "composer", "texts_dropped", "Text fields dropped from row points, because stores accept only numbers."),
    /** Replaced rows. */
    COMPOSER_ROWS_REPLACED(
            "composer", "rows_replaced", "Rows replaced by a later row of the same series, field and millisecond."),
    /** Compositions stopped at a limit. */
    COMPOSER_FULL("composer", "full", "Shards whose composition stopped at a memory limit, to be retried."),
    /** Rebuilds of states. */
    COMPOSER_REBUILDS("composer", "rebuilds", "Rebuilds of states from past cycles."),
    /** Incomplete rebuilds of states. */
    COMPOSER_REBUILDS_SHORT(
            "composer",
            "rebuilds_short",
            "Rebuilds with missing cycles, because no journal had the whole horizon; part of rebuilds."),
    /** Past cycles of rebuilds. */
    COMPOSER_PAST_CYCLES("composer", "past_cycles", "Past cycles processed by rebuilds."),

    // flusher

    /** Shards to flush. */
    FLUSHER_SHARDS("flusher", "shards", "Completed shards passed to the flusher."),
    /** Slices flushed. */
    FLUSHER_SLICES("flusher", "slices", "Slices flushed of divided shards, without the last slice of each shard."),
    /** Rows written. */
    FLUSHER_ROWS("flusher", "rows", "Rows acknowledged by a store."),
    /** Results without a finite value. */
    FLUSHER_ROWS_NOT_FINITE(
            "flusher", "rows_not_finite", "Results not written because they are infinite or not a number."),
    /** Rows refused. */
    FLUSHER_ROWS_REFUSED(
            "flusher", "rows_refused", "Rows refused by a store that accepts other rows; written to the dead letters."),
    /** Rows with repeated store failures. */
    FLUSHER_ROWS_POISONED(
            "flusher",
            "rows_poisoned",
            "Refused rows with repeated store failures instead of a refusal, e.g. status 500; part of rows_refused."),
    /** Rows without a result. */
    FLUSHER_ROWS_FAILED(
            "flusher",
            "rows_failed",
            "Rows written to the dead letters because an aggregator failed to compute their result."),
    /** Rows read back. */
    FLUSHER_ROWS_VERIFIED("flusher", "rows_verified", "Rows read back with the written value."),
    /** Rows written again. */
    FLUSHER_ROWS_REWRITTEN("flusher", "rows_rewritten", "Acknowledged rows missing in the store and written again."),
    /** Rows read back with another value. */
    FLUSHER_ROWS_CORRUPT(
            "flusher",
            "rows_corrupt",
            "Rows read back with another value and written again. Values above 0 need action."),
    /** Rows lost at the bound of the dead letters. */
    FLUSHER_ROWS_LOST(
            "flusher", "rows_lost", "Refused rows missing in the dead-letter file. Values above 0 need action."),
    /** Shards flushed. */
    FLUSHER_SHARDS_FLUSHED("flusher", "shards_flushed", "Shards with all rows acknowledged by the stores (FLUSHED)."),
    /** Shards verified. */
    FLUSHER_SHARDS_VERIFIED(
            "flusher", "shards_verified", "Shards with all rows of exactly_once pipelines read back (VERIFIED)."),
    /** Requested commits. */
    FLUSHER_COMMITS("flusher", "commits", "Commits requested, retries included."),
    /** Shards committed. */
    FLUSHER_SHARDS_COMMITTED("flusher", "shards_committed", "Shards with a visible commit of this processor."),
    /** Abandoned shards. */
    FLUSHER_SHARDS_OVERTAKEN(
            "flusher",
            "shards_overtaken",
            "Shards abandoned because they were reassigned, or committed by another processor."),

    // dead letters

    /** Dropped old dead letters. */
    LETTERS_OLD_DROPPED(
            "letters",
            "old_dropped",
            "Oldest dead letters dropped at the size limit of their files. Values above 0 need action."),

    // store

    /** Batches written. */
    STORE_BATCHES("store", "batches", "Batches acknowledged by a store."),
    /** Failed batches. */
    STORE_BATCHES_FAILED("store", "batches_failed", "Batches not accepted by a store, to be retried."),
    /** Outages. */
    STORE_OUTAGES("store", "outages", "Outages of stores: no rows accepted, or more than refused_max rows refused."),
    /** Probe rows. */
    STORE_PROBES("store", "probes", "Known-good rows written to distinguish bad rows from a store outage."),
    /** Reads. */
    STORE_READS("store", "reads", "Reads of rows back from a store.");

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
