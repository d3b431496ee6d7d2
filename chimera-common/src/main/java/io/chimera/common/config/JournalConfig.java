package io.chimera.common.config;

import java.time.Duration;

/** Journal of a queue node. */
public record JournalConfig(
        @Doc("When a point counts as safe: none (in the mapped page: survives a crash of the process, not of the"
                + " machine), interval (after a sync every interval), batch (after a sync before each"
                + " acknowledgement).")
        Sync sync,

        @Doc("Maximum wait for a sync with sync: interval; each sync begins early enough to end in time, judged by"
                + " the recent syncs of the disk; 1ms to 10s.")
        Duration interval,

        @Doc("Maximum size on disk; at the limit, no points are accepted. 64MiB or more.")
        ByteSize maxBytes,

        @Doc("Time after which a new file begins, so old files can be deleted; 1s to 1d.")
        Duration roll,

        @Doc("Minimum free space on the disk; below the limit, no points are accepted.")
        ByteSize reserve,

        @Doc("Retention of points after the commit of their cycle, for replays; 0ms to" + " 30d.")
        Duration retainFor,

        @Doc("Maximum size of retained points on disk; the oldest are deleted at the limit, or if new points need"
                + " the space.")
        ByteSize retainBytes,

        @Doc("Archive of points no longer retained by the journal, for chimera journal restore;"
                + " absent: no archive. Up to retain_bytes, and at least four files, may wait for the archive.")
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
