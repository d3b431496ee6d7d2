package io.chimera.common.metrics;

/** Gauges of a processor. */
public enum ProcessorGauge implements GaugeDescriptor {
    EXTRACTOR_QUEUE_NODES("extractor", "queue_nodes", "Connected queue nodes."),
    EXTRACTOR_SLOTS_USED("extractor", "slots_used", "Slots in use between channel and staging."),
    STAGING_CYCLES("staging", "cycles", "Cycles with staged data."),
    STAGING_SIZE_BYTES("staging", "size_bytes", "Bytes used, of processor.max_bytes."),
    COMPOSER_PARTITIONS_REBUILDING(
            "composer", "partitions_rebuilding", "Partitions whose state is being rebuilt from past cycles."),
    COMPOSER_REBUILD_CYCLES_LEFT(
            "composer", "rebuild_cycles_left", "Past cycles left to process for the running rebuilds."),
    COMPOSER_REBUILD_AGE_SECONDS(
            "composer", "rebuild_age_seconds", "Time since the begin of the oldest running rebuild, in seconds."),
    COMPOSER_POOL_THREADS_USED(
            "composer", "pool_threads_used", "Threads with points, in thread pools of compositions."),
    COMPOSER_POOL_POINTS_WAITING(
            "composer", "pool_points_waiting", "Points in thread pools of compositions, in process or in a queue."),
    FLUSHER_SHARDS_WAITING("flusher", "shards_waiting", "Shards being flushed or waiting for their commit."),
    FLUSHER_SHARDS_VERIFYING(
            "flusher", "shards_verifying", "Shards acknowledged by the stores with their rows being read back."),
    STORE_STORES_OUT(
            "store", "stores_out", "Stores in an outage: no rows accepted, or more than refused_max rows refused."),
    STORE_OUTAGE_AGE_SECONDS(
            "store", "outage_age_seconds", "Time since the begin of the oldest current outage, in seconds."),
    LETTERS_SIZE_BYTES("letters", "size_bytes", "Bytes of the dead-letter files."),
    LETTERS_LIMIT_BYTES(
            "letters",
            "limit_bytes",
            "Size limit of all dead-letter files together in bytes; the oldest dead letters are dropped at the limit.");

    private final MetricText text;

    ProcessorGauge(String stage, String what, String help) {
        text = new MetricText(stage, what, help);
    }

    @Override
    public MetricText text() {
        return text;
    }
}
