package io.chimera.common.config;

import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import java.time.Duration;

/** Journal of a queue node. */
public record JournalConfig(
        @Doc("When a point counts as safe: none (in the mapped page: survives a crash of the process, not of the"
                + " machine), interval (after a sync every interval), batch (after a sync before each"
                + " acknowledgement).")
        @Default("interval")
        Sync sync,

        @Doc("Maximum wait for a sync with sync: interval; each sync begins early enough to end in time, judged by"
                + " the recent syncs of the disk; 1ms to 10s.")
        @Default("100ms")
        Duration interval,

        @Doc("Maximum size on disk; at the limit, no points are accepted. 64MiB or more.") @Default("16GiB")
        ByteSize maxBytes,

        @Doc("Time after which a new file begins, so old files can be deleted; 1s to 1d.") @Default("1m")
        Duration roll,

        @Doc("Minimum free space on the disk; below the limit, no points are accepted.") @Default("256MiB")
        ByteSize reserve,

        @Doc("Retention of points after the commit of their cycle, for replays; 0ms to" + " 30d.") @Default("1h")
        Duration retainFor,

        @Doc("Maximum size of retained points on disk; the oldest are deleted at the limit, or if new points need"
                + " the space.")
        @Default("1GiB")
        ByteSize retainBytes,

        @Doc("Archive of points no longer retained by the journal, for chimera journal restore;"
                + " absent: no archive. Up to retain_bytes, and at least four files, may wait for the archive.")
        VolumeConfig archive) {
    /** Minimum size on disk, per lane. */
    public static final ByteSize BYTES_MIN = ByteSize.ofMebibytes(64);

    /** Durability required before an acknowledgement. */
    public enum Sync {
        /** Written to the mapped page. */
        NONE,
        /** Synced within an interval. */
        INTERVAL,
        /** Synced before each acknowledgement. */
        BATCH
    }

    /** Checks the values. */
    public JournalConfig {
        archive = archive == null ? null : archive.or("journal.volume", "journal");
        new Requirements()
                .between("interval", interval, Duration.ofMillis(1), Duration.ofSeconds(10))
                .between("max_bytes", maxBytes, BYTES_MIN, new ByteSize(1L << 50))
                .between("roll", roll, Duration.ofSeconds(1), Duration.ofDays(1))
                .between("retain_for", retainFor, Duration.ZERO, Duration.ofDays(30))
                .between("retain_bytes", retainBytes, new ByteSize(0), new ByteSize(1L << 50))
                .check();
    }
}
