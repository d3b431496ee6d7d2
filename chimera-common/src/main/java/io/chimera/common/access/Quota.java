package io.chimera.common.access;

/**
 * Sending limits of a principal at one node; 0 means no limit.
 *
 * @param pointsPerSecond data points per second
 * @param bytesPerSecond decompressed bytes per second
 * @param connections open connections
 * @param newSeriesPerHour series per hour unknown to all inputs of the node
 */
public record Quota(long pointsPerSecond, long bytesPerSecond, int connections, long newSeriesPerHour) {
    /** No limits. */
    public static final Quota NONE = new Quota(0, 0, 0, 0);
}
