package io.chimera.common.metrics;

/** Counters of a processor, by stage from channel to store. */
public enum ProcessorCounter implements CounterDescriptor {
    // extractor

    EXTRACTOR_CONNECTIONS("extractor", "connections", "Connections of queue nodes with a valid HELLO."),
    EXTRACTOR_CONNECTIONS_REFUSED(
            "extractor",
            "connections_refused",
            "Connections closed because of a wrong cluster, protocol version or session (not that of a live"
                    + " queue node, or already connected), or an unknown frame."),
    EXTRACTOR_FRAMES("extractor", "frames", "Frames received with records or the end of a part."),
    EXTRACTOR_BYTES("extractor", "bytes", "Bytes of the received frames."),
    EXTRACTOR_RING_FULL("extractor", "ring_full", "Waits of a frame because all slots were in use."),

    // staging

    STAGING_COPIES("staging", "copies", "Copies of data points aggregated, one per accepting pipeline."),
    STAGING_COPIES_COMBINED(
            "staging",
            "copies_combined",
            "Copies pre-aggregated by the queue node (aggregate.combine_after); part of copies."),
    STAGING_POINTS("staging", "points", "Data points aggregated, each counted once for any number of pipelines."),
    STAGING_POINTS_LATE(
            "staging", "points_late", "Data points older than late_after, relative to the time of their cycle."),
    STAGING_POINTS_REJECTED(
            "staging",
            "points_rejected",
            "Data points rejected by the aggregation: missing field, too long key, or a failing aggregator."),
    STAGING_POINTS_POISONED(
            "staging",
            "points_poisoned",
            "Copies of data points written to the dead letters because an aggregator failed."),
    STAGING_LETTERS_LOST(
            "staging",
            "letters_lost",
            "Poisoned data points missing in the dead-letter file. Values above 0 need action."),
    STAGING_FRAMES_IGNORED(
            "staging",
            "frames_ignored",
            "Frames ignored: cycle or shard not assigned here or already committed, or unknown transmission."),
    STAGING_FRAMES_FOREIGN(
            "staging",
            "frames_foreign",
            "Frames and parts dropped because their sender does not own the part; the owner is asked to send it."),
    STAGING_FRAMES_REFUSED(
            "staging", "frames_refused", "Frames refused because their cycle is too new or staging is at its limits."),
    STAGING_FRAMES_BROKEN(
            "staging",
            "frames_broken",
            "Frames with invalid records or an unknown pipeline. Values above 0 are a defect."),
    STAGING_WAITS("staging", "waits", "Waits of a frame for the view of its cycle or for the flusher."),
    STAGING_PARTS_RESTARTED(
            "staging", "parts_restarted", "Parts dropped because their sender began a new transmission."),
    STAGING_PARTS_MISMATCHED(
            "staging", "parts_mismatched", "Parts dropped because of a mismatch of END count or checksum."),
    STAGING_PARTS_FULL("staging", "parts_full", "Parts dropped because the warehouse was full."),
    STAGING_SHARDS_DIVIDED(
            "staging", "shards_divided", "Shards or slices divided in two because the warehouse was full."),
    STAGING_PARTS_REJECTED(
            "staging",
            "parts_rejected",
            "Parts of slices too large for the warehouse and not divisible; their data points are rejected."),
    STAGING_PARTS_FAILED(
            "staging",
            "parts_failed",
            "Parts dropped because an aggregator failed; they are retransmitted record by record."),
    STAGING_PARTS_WHOLE("staging", "parts_whole", "Parts completely staged."),
    STAGING_NEEDS("staging", "needs", "Requests for a missing part (NEED)."),

    // composer

    COMPOSER_POINTS_EMITTED("composer", "points_emitted", "Data points emitted by compositions."),
    COMPOSER_POINTS_DROPPED(
            "composer",
            "points_dropped",
            "Data points emitted by a composition but dropped: too long, or a failing aggregator."),
    COMPOSER_POINTS_POISONED(
            "composer", "points_poisoned", "Data points written to the dead letters because a block failed."),
    COMPOSER_TEXTS_DROPPED(
            "composer",
            "texts_dropped",
            "Text and histogram fields dropped from row points, because stores accept only numbers."),
    COMPOSER_ROWS_REPLACED(
            "composer", "rows_replaced", "Rows replaced by a later row of the same series, field and millisecond."),
    COMPOSER_FULL("composer", "full", "Shards whose composition stopped at a memory limit, to be retried."),
    COMPOSER_REBUILDS("composer", "rebuilds", "Rebuilds of states from past cycles."),
    COMPOSER_REBUILDS_SHORT(
            "composer",
            "rebuilds_short",
            "Rebuilds with missing cycles, because no journal had the whole horizon; part of rebuilds."),
    COMPOSER_PAST_CYCLES("composer", "past_cycles", "Past cycles processed by rebuilds."),

    // flusher

    FLUSHER_SHARDS("flusher", "shards", "Completed shards passed to the flusher."),
    FLUSHER_SLICES("flusher", "slices", "Slices flushed of divided shards, without the last slice of each shard."),
    FLUSHER_ROWS("flusher", "rows", "Rows acknowledged by a store."),
    FLUSHER_ROWS_NOT_FINITE(
            "flusher", "rows_not_finite", "Results not written because they are infinite or not a number."),
    FLUSHER_ROWS_REFUSED(
            "flusher", "rows_refused", "Rows refused by a store that accepts other rows; written to the dead letters."),
    FLUSHER_ROWS_POISONED(
            "flusher",
            "rows_poisoned",
            "Refused rows with repeated store failures instead of a refusal, e.g. status 500; part of rows_refused."),
    FLUSHER_ROWS_FAILED(
            "flusher",
            "rows_failed",
            "Rows written to the dead letters because an aggregator failed to compute their result."),
    FLUSHER_ROWS_VERIFIED("flusher", "rows_verified", "Rows read back with the written value."),
    FLUSHER_ROWS_REWRITTEN("flusher", "rows_rewritten", "Acknowledged rows missing in the store and written again."),
    FLUSHER_ROWS_CORRUPT(
            "flusher",
            "rows_corrupt",
            "Rows read back with another value and written again. Values above 0 need action."),
    FLUSHER_ROWS_LOST(
            "flusher", "rows_lost", "Refused rows missing in the dead-letter file. Values above 0 need action."),
    FLUSHER_SHARDS_FLUSHED("flusher", "shards_flushed", "Shards with all rows acknowledged by the stores (FLUSHED)."),
    FLUSHER_SHARDS_VERIFIED(
            "flusher", "shards_verified", "Shards with all rows of exactly_once pipelines read back (VERIFIED)."),
    FLUSHER_COMMITS("flusher", "commits", "Commits requested, retries included."),
    FLUSHER_SHARDS_COMMITTED("flusher", "shards_committed", "Shards with a visible commit of this processor."),
    FLUSHER_SHARDS_OVERTAKEN(
            "flusher",
            "shards_overtaken",
            "Shards abandoned because they were reassigned, or committed by another processor."),

    // dead letters

    LETTERS_OLD_DROPPED(
            "letters",
            "old_dropped",
            "Oldest dead letters dropped at the size limit of their files. Values above 0 need action."),

    // store

    STORE_BATCHES("store", "batches", "Batches acknowledged by a store."),
    STORE_BATCHES_FAILED("store", "batches_failed", "Batches not accepted by a store, to be retried."),
    STORE_OUTAGES("store", "outages", "Outages of stores: no rows accepted, or more than refused_max rows refused."),
    STORE_PROBES("store", "probes", "Known-good rows written to distinguish bad rows from a store outage."),
    STORE_READS("store", "reads", "Reads of rows back from a store."),
    STORE_SHARDS("store", "shards", "Shards committed by stores that write a shard as a whole, per pipeline."),
    STORE_SHARDS_BROKEN(
            "store",
            "shards_broken",
            "Shards given up at such stores: after a failure, to begin again, or because of a reassignment.");

    private final MetricText text;

    ProcessorCounter(String stage, String what, String help) {
        text = new MetricText(stage, what, help);
    }

    @Override
    public MetricText text() {
        return text;
    }
}
