package io.chimera.common.metrics;

/** What goes up and down in a processor. */
public enum ProcessorGauge implements GaugeDescriptor {
    /** Queue nodes. */
    EXTRACTOR_QUEUE_NODES("extractor", "queue_nodes", "Queue nodes that are connected."),
    /** Ring in use. */
    EXTRACTOR_SLOTS_USED("extractor", "slots_used", "Slots between the channel and staging that are in use."),
    /** Cycles. */
    STAGING_CYCLES("staging", "cycles", "Cycles of which something is staged."),
    /** Warehouses. */
    STAGING_SIZE_BYTES("staging", "size_bytes", "Bytes in use of processor.max_bytes."),
    /** Partitions without state. */
    COMPOSER_PARTITIONS_REBUILDING(
            "composer", "partitions_rebuilding", "Partitions whose state is being built anew out of past cycles."),
    /** What is left of it. */
    COMPOSER_REBUILD_CYCLES_LEFT(
            "composer", "rebuild_cycles_left", "Past cycles that are still to be run for these partitions."),
    /** How long. */
    COMPOSER_REBUILD_AGE_SECONDS(
            "composer", "rebuild_age_seconds", "Time since the oldest of these began, in seconds."),
    /** Flushing. */
    FLUSHER_SHARDS_WAITING("flusher", "shards_waiting", "Shards that are being flushed or wait for their commit."),
    /** Verifying. */
    FLUSHER_SHARDS_VERIFYING(
            "flusher", "shards_verifying", "Shards that the stores have acknowledged and whose rows are read back."),
    /** Stores in an outage. */
    STORE_STORES_OUT("store", "stores_out", "Stores that do not take rows, or refuse more than refused_max of them."),
    /** How long. */
    STORE_OUTAGE_AGE_SECONDS(
            "store", "outage_age_seconds", "Time since the oldest of these outages began, in seconds."),
    /** Dead letters. */
    LETTERS_SIZE_BYTES("letters", "size_bytes", "Bytes of the dead-letter files."),
    /** Room for dead letters. */
    LETTERS_LIMIT_BYTES(
            "letters", "limit_bytes", "Bytes at which the oldest dead letters are dropped, of all files together.");

    private final String stage;
    private final String what;
    private final String help;

    ProcessorGauge(String stage, String what, String help) {
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
