package io.chimera.archive.query;

import io.chimera.archive.index.IndexSettings;
import java.time.Duration;

/**
 * How packets or data points are archived.
 *
 * @param stream name of the data stream
 * @param guaranteeBytes of the device that its newest items keep, whatever other streams write; the index gets a part of its own
 * @param intervalBytes of one interval, i.e. what a question reads at least
 * @param intervalAge an interval is appended once its first item has been here so long, so that it can be found
 * @param index how the index is made
 */
public record ArchiveSettings(
        String stream, long guaranteeBytes, int intervalBytes, Duration intervalAge, IndexSettings index) {
    /** A hit reads that much; a signature of it takes 7 % of it at most, and of full packets of few flows less than 1 %. */
    public static final int INTERVAL_BYTES_DEFAULT = 64 << 10;

    /** Half of the second within which packets are to be found: the other half is for whoever looks. */
    public static final Duration INTERVAL_AGE_DEFAULT = Duration.ofMillis(500);

    /**
     * As long as a span of the distributed index as a rule, which is shared when its groups have ended. A stream with two intervals a second, as
     * there are with any traffic that goes on, has 118 of the 128 intervals of a full group in it.
     */
    public static final Duration GROUP_AGE_DEFAULT = Duration.ofMinutes(1);

    private static final int INTERVAL_BYTES_MIN = 4 << 10;

    /** Of records on a volume, too, whatever is set now. */
    static final int INTERVAL_BYTES_MAX = 512 << 10;

    /**
     * The index of the shortest packets, of 76 bytes with their header, takes 8.3 bytes for each where half of 4,500 addresses in a
     * row are different ones, each in a net of its own, which is a little more; and less than 1 where they are few.
     */
    private static final int INDEX_SHARE = 10;

    /** Checks the bounds. */
    public ArchiveSettings {
        if (intervalBytes < INTERVAL_BYTES_MIN || intervalBytes > INTERVAL_BYTES_MAX) {
            throw new IllegalArgumentException("An interval has " + INTERVAL_BYTES_MIN + " to " + INTERVAL_BYTES_MAX
                    + " bytes, not " + intervalBytes + ".");
        }
    }

    /** The defaults for a stream of packets. */
    public static ArchiveSettings of(String stream, long guaranteeBytes) {
        return of(stream, guaranteeBytes, IndexSettings.of(PacketKeys.keys()).withGroupAge(GROUP_AGE_DEFAULT));
    }

    /** The defaults for a stream of data points. */
    public static ArchiveSettings ofPoints(String stream, long guaranteeBytes) {
        return of(stream, guaranteeBytes, IndexSettings.of(PointKeys.keys()).inAnyOrder());
    }

    private static ArchiveSettings of(String stream, long guaranteeBytes, IndexSettings index) {
        return new ArchiveSettings(stream, guaranteeBytes, INTERVAL_BYTES_DEFAULT, INTERVAL_AGE_DEFAULT, index);
    }

    /** The same with other bytes in an interval. */
    public ArchiveSettings withIntervalBytes(int other) {
        return new ArchiveSettings(stream, guaranteeBytes, other, intervalAge, index);
    }

    /** The same with groups of intervals in the index that end at another age. */
    public ArchiveSettings withGroupAge(Duration other) {
        return new ArchiveSettings(stream, guaranteeBytes, intervalBytes, intervalAge, index.withGroupAge(other));
    }

    /** Bytes of the device that the index keeps. */
    long indexGuaranteeBytes() {
        return guaranteeBytes / INDEX_SHARE;
    }
}
