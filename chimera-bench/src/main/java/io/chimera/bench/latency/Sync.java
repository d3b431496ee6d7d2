package io.chimera.bench.latency;

/** Sync policies: the time at which the journal counts a point as safe, and the sender receives its answer. */
enum Sync {
    /** Safe in the mapped page, without waiting for the disk. */
    NONE("none", 0),
    /** Safe after the next periodic sync, the product's default. */
    INTERVAL("interval", 100);

    private final String setting;
    private final int everyMs;

    Sync(String setting, int everyMs) {
        this.setting = setting;
        this.everyMs = everyMs;
    }

    /** Returns the name in the configuration and in figures. */
    String setting() {
        return setting;
    }

    /** Returns the milliseconds between syncs; 0 when no sender waits for syncs. */
    int everyMs() {
        return everyMs;
    }
}
