package io.chimera.bench.latency;

/** When a journal counts a point as safe, and so when a sender is answered. */
enum Sync {
    /** In the mapped page: nobody waits for the disk. */
    NONE("none", 0),
    /** After a sync every interval, the product's default. */
    INTERVAL("interval", 100);

    private final String setting;
    private final int everyMs;

    Sync(String setting, int everyMs) {
        this.setting = setting;
        this.everyMs = everyMs;
    }

    /** As the configuration and the figures call it. */
    String setting() {
        return setting;
    }

    /** Milliseconds between syncs; 0 where nobody waits for them. */
    int everyMs() {
        return everyMs;
    }
}
