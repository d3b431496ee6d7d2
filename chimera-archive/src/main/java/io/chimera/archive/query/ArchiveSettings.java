package io.chimera.archive.query;

import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.query.key.PacketKeys;
import io.chimera.archive.query.key.PointKeys;
import java.time.Duration;

/**
 * Settings for archiving packets or data points.
 *
 * @param stream name of the data stream
 * @param guaranteeBytes device bytes reserved for the newest items, independent of other streams; the index gets an
 *     additional share
 * @param intervalBytes size of an interval, the minimum read of a query
 * @param intervalAge maximum age of the first item of an open interval; an older interval is appended to become
 *     searchable
 * @param index settings of the index
 */
public record ArchiveSettings(
        String stream, long guaranteeBytes, int intervalBytes, Duration intervalAge, IndexSettings index) {
    /**
     * Default size of an interval: the read for one hit. The signature of an interval takes at most 7 % of its size,
     * and less than 1 % for full packets of few flows.
     */
    public static final int INTERVAL_BYTES_DEFAULT = 64 << 10;

    /** Half of the second in which packets must become searchable; the other half is left for the reader. */
    public static final Duration INTERVAL_AGE_DEFAULT = Duration.ofMillis(500);

    /**
     * Usual length of a span of the distributed index; a span is shared when its groups have ended. A stream with
     * continuous traffic has two intervals per second, and thus 118 of the 128 intervals of a full group within this
     * age.
     */
    public static final Duration GROUP_AGE_DEFAULT = Duration.ofMinutes(1);

    private static final int INTERVAL_BYTES_MIN = 4 << 10;

    /** Maximum for records on a volume, independent of the current settings. */
    public static final int INTERVAL_BYTES_MAX = 512 << 10;

    /**
     * Divisor for the guarantee of the index. The shortest packets take 76 bytes with their header and 8.3 bytes of
     * index if half of 4,500 consecutive addresses are distinct, each in its own net: slightly more than a tenth. With
     * few addresses a packet takes less than 1 byte of index.
     */
    private static final int INDEX_SHARE = 10;

    /** Checks the bounds. */
    public ArchiveSettings {
        if (intervalBytes < INTERVAL_BYTES_MIN || intervalBytes > INTERVAL_BYTES_MAX) {
            throw new IllegalArgumentException("An interval needs " + INTERVAL_BYTES_MIN + " to " + INTERVAL_BYTES_MAX
                    + " bytes, not " + intervalBytes + ".");
        }
    }

    /** Returns the defaults for a stream of packets. */
    public static ArchiveSettings of(String stream, long guaranteeBytes) {
        return of(stream, guaranteeBytes, IndexSettings.of(PacketKeys.keys()).withGroupAge(GROUP_AGE_DEFAULT));
    }

    /** Returns the defaults for a stream of data points. */
    public static ArchiveSettings ofPoints(String stream, long guaranteeBytes) {
        return of(stream, guaranteeBytes, IndexSettings.of(PointKeys.keys()).inAnyOrder());
    }

    private static ArchiveSettings of(String stream, long guaranteeBytes, IndexSettings index) {
        return new ArchiveSettings(stream, guaranteeBytes, INTERVAL_BYTES_DEFAULT, INTERVAL_AGE_DEFAULT, index);
    }

    /** Returns a copy with another interval size. */
    public ArchiveSettings withIntervalBytes(int other) {
        return new ArchiveSettings(stream, guaranteeBytes, other, intervalAge, index);
    }

    /** Returns a copy with another maximum age of the interval groups in the index. */
    public ArchiveSettings withGroupAge(Duration other) {
        return new ArchiveSettings(stream, guaranteeBytes, intervalBytes, intervalAge, index.withGroupAge(other));
    }

    /** Returns the guarantee of the index stream in bytes. */
    long indexGuaranteeBytes() {
        return guaranteeBytes / INDEX_SHARE;
    }
}
