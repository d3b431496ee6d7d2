package io.chimera.common.access;

/**
 * How much a principal may send to one node; 0 stands for no limit.
 *
 * @param pointsPerSecond data points a second
 * @param bytesPerSecond unpacked bytes a second
 * @param connections open connections at one time
 * @param newSeriesPerHour series that no input of the node knows yet, an hour
 */
public record Quota(long pointsPerSecond, long bytesPerSecond, int connections, long newSeriesPerHour) {
    /** No limits. */
    public static final Quota NONE = new Quota(0, 0, 0, 0);
}
