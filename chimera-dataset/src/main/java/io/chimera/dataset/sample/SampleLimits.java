package io.chimera.dataset.sample;

import java.time.Duration;

/**
 * Bounds of a sample.
 *
 * @param timeMax time after which no measurement begins, and reads under way are given up
 * @param bytesMax maximum number of bytes requested from the source
 * @param requestsMax maximum number of requests to the source
 */
public record SampleLimits(Duration timeMax, long bytesMax, int requestsMax) {
    /** 15 seconds, 64 MiB, 300 requests. A far source needs most of the time: the windows of its connections grow. */
    public static final SampleLimits DEFAULT = new SampleLimits(Duration.ofSeconds(15), 64L << 20, 300);

    /** A sample is at most this part of a data set. */
    private static final int PART_OF_DATA_SET = 10;

    /** Bytes without which no rate can be measured. */
    private static final long BYTES_MIN = 1L << 20;

    /**
     * Checks the bounds.
     *
     * @param timeMax more than 0
     * @param bytesMax at least 1
     * @param requestsMax at least 1
     */
    public SampleLimits {
        if (timeMax.isNegative() || timeMax.isZero() || bytesMax < 1 || requestsMax < 1) {
            throw new IllegalArgumentException("a sample of " + timeMax + ", " + bytesMax + " bytes and " + requestsMax
                    + " requests; expected positive bounds");
        }
    }

    /** Returns the bounds with fewer bytes for a small data set: a tenth of the data set, but at least 1 MiB. */
    public SampleLimits ofDataSet(long bytes) {
        long part = Math.max(BYTES_MIN, bytes / PART_OF_DATA_SET);
        return new SampleLimits(timeMax, Math.min(bytesMax, part), requestsMax);
    }
}
