package io.chimera.common.config;

import java.time.Duration;

/** Journal of a queue node. */
public record JournalConfig(
        @Doc("When a point counts as safe: none (in the mapped page: survives the process, not the machine), interval"
                + " (after a sync every interval), batch (after a sync before anybody is answered).")
        Sync sync,

        @Doc(
                "The longest wait for a sync when sync is interval: each begins early enough to have ended by then, as far as the"
                        + " disk takes as long as it has of late; 1ms to 10s.")
        Duration interval,

        @Doc("Bytes on disk beyond which nothing more is accepted; 64MiB or more.")
        ByteSize maxBytes,

        @Doc("Time after which the next file begins, so that old ones can go; 1s to 1d.")
        Duration roll,

        @Doc("Bytes that must stay free on the disk; below it nothing more is accepted.")
        ByteSize reserve,

        @Doc("Time that points stay in the journal after their cycle was committed, so that it can be replayed; 0ms to"
                + " 30d.")
        Duration retainFor,

        @Doc("Bytes of such points on disk; more, and what new points need, is given up, oldest first.")
        ByteSize retainBytes,

        @Doc(
                "Where points go that the journal does not retain any longer, so that they can be put back (chimera journal restore);"
                        + " not there: nowhere. As many bytes as retain_bytes may wait for it, and four files at least.")
        VolumeConfig archive) {
    /** Durability required before an acknowledgement. */
    public enum Sync {
        /** Written to the mapped page. */
        NONE,
        /** Synced within an interval. */
        INTERVAL,
        /** Synced before each acknowledgement. */
        BATCH
    }

    /** Sets the defaults. */
    public JournalConfig {
        sync = sync == null ? Sync.INTERVAL : sync;
        interval = interval == null ? Duration.ofMillis(100) : interval;
        maxBytes = maxBytes == null ? ByteSize.ofGibibytes(16) : maxBytes;
        roll = roll == null ? Duration.ofMinutes(1) : roll;
        reserve = reserve == null ? ByteSize.ofMebibytes(256) : reserve;
        retainFor = retainFor == null ? Duration.ofHours(1) : retainFor;
        retainBytes = retainBytes == null ? ByteSize.ofGibibytes(1) : retainBytes;
        archive = archive == null ? null : archive.or("journal.volume", "journal");
        new Requirements()
                .between("interval", interval, Duration.ofMillis(1), Duration.ofSeconds(10))
                .between("max_bytes", maxBytes, ByteSize.ofMebibytes(64), new ByteSize(1L << 50))
                .between("roll", roll, Duration.ofSeconds(1), Duration.ofDays(1))
                .between("retain_for", retainFor, Duration.ZERO, Duration.ofDays(30))
                .between("retain_bytes", retainBytes, new ByteSize(0), new ByteSize(1L << 50))
                .check();
    }
}
