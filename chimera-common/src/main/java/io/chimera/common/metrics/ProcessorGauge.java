package io.chimera.common.metrics;

/** Gauges of a processor. */
public enum ProcessorGauge implements GaugeDescriptor {
    /** Queue nodes. */
    EXTRACTOR_QUEUE_NODES("extractor", "queue_nodes", "Connected queue nodes."),
    /** Used slots of the ring. */
    EXTRACTOR_SLOTS_USED("extractor", "slots_used", "Slots in use between channel and staging."),
    /** Staged cycles. */
    STAGING_CYCLES("staging", "cycles", "Cycles with staged data."),
    /** Size of the warehouses. */
    STAGING_SIZE_BYTES("staging", "size_bytes", "Bytes used, of processor.max_bytes."),
    /** Partitions in a rebuild. */
    COMPOSER_PARTITIONS_REBUILDING(
            "composer", "partitions_rebuilding", "Partitions whose state is being rebuilt from past cycles."),
    /** Remaining cycles of the rebuilds. */
    COMPOSER_REBUILD_CYCLES_LEFT(
            "composer", "rebuild_cycles_left", "Past cycles left to process for the running rebuilds."),
    /** Age of the oldest rebuild. */
    COMPOSER_REBUILD_AGE_SECONDS(
            "composer", "rebuild_age_seconds", "Time since the begin of the oldest running rebuild, in seconds."),
    /** Shards in the flusher. */
    FLUSHER_SHARDS_WAITING("flusher", "shards_waiting", "Shards being flushed or waiting for their commit."),
    /** Shards in verification. */
    FLUSHER_SHARDS_VERIFYING(
            "flusher", "shards_verifying", "Shards acknowledged by the stores with their rows being read back."),
    /** Stores in an outage. */
    STORE_STORES_OUT(
            "store", "stores_out", "Stores in an outage: no rows accepted, or more than refused_max rows refused."),
    /** Age of the oldest outage. */
    STORE_OUTAGE_AGE_SECONDS(
            "store", "outage_age_seconds", "Time since the begin of the oldest current outage, in seconds."),
    /** Size of the dead letters. */
    LETTERS_SIZE_BYTES("letters", "size_bytes", "Bytes of the dead-letter files."),
    /** Size limit of the dead letters. */
    LETTERS_LIMIT_BYTES(
            "letters",
            "limit_bytes",
            "Size limit of all dead-letter files together in bytes; the oldest dead letters are dropped at the limit.");

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
