package io.chimera.dataset.source.xrootd.connection;

import java.time.Duration;

/**
 * Time limits and bounds of a client.
 *
 * @param connect maximum time of a connection attempt, login included
 * @param stall maximum time without a byte on a connection with requests under way
 * @param answer maximum time of a request without a part of its own answer, while other answers arrive
 * @param pause maximum sum of the pauses that servers ask for within one call; a longer pause is reported to the caller
 * @param late maximum time for an answer that the server announced for later, for example a computed checksum
 * @param idle time without use after which connections and open files are closed
 * @param lanes connections per server
 * @param connectionsMax maximum number of connections
 * @param requestsMax maximum number of requests under way per connection; further requests wait
 * @param openFilesMax maximum number of open files without a reader
 * @param listingBytesMax maximum length of the listing of one folder in bytes
 * @param objectsMax maximum number of listed objects
 */
public record XrootdLimits(
        Duration connect,
        Duration stall,
        Duration answer,
        Duration pause,
        Duration late,
        Duration idle,
        int lanes,
        int connectionsMax,
        int requestsMax,
        int openFilesMax,
        int listingBytesMax,
        int objectsMax) {

    /**
     * Limits for a far server. 4 connections fill a path of 100 ms × 1 Gbit/s = 12 MB with windows of 4 MB. 64 requests
     * of 1 MB on each are twice the windows of the path. A listing of 64 MiB has about 500,000 entries.
     */
    public static final XrootdLimits DEFAULT = new XrootdLimits(
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(120),
            Duration.ofSeconds(15),
            Duration.ofMinutes(30),
            Duration.ofSeconds(60),
            4,
            256,
            64,
            256,
            64 << 20,
            1_000_000);

    private static final int REQUESTS_MAX = 32_767;

    /**
     * Checks the values.
     *
     * @param connect above 0
     * @param stall above 0
     * @param answer above 0
     * @param pause at least 0
     * @param late above 0
     * @param idle above 0
     * @param lanes at least 1
     * @param connectionsMax at least the number of lanes
     * @param requestsMax 1 to 32,767
     * @param openFilesMax at least 1
     * @param listingBytesMax at least 1
     * @param objectsMax at least 1
     */
    public XrootdLimits {
        checkAboveZero("connect", connect);
        checkAboveZero("stall", stall);
        checkAboveZero("answer", answer);
        checkAboveZero("late", late);
        checkAboveZero("idle", idle);
        if (pause.isNegative()) {
            throw new IllegalArgumentException("pause " + pause + "; expected at least 0");
        }
        checkRange("lanes", lanes, 1, connectionsMax);
        checkRange("requestsMax", requestsMax, 1, REQUESTS_MAX);
        checkRange("openFilesMax", openFilesMax, 1, Integer.MAX_VALUE);
        checkRange("listingBytesMax", listingBytesMax, 1, Integer.MAX_VALUE);
        checkRange("objectsMax", objectsMax, 1, Integer.MAX_VALUE);
    }

    private static void checkAboveZero(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " " + value + "; expected a time above 0");
        }
    }

    private static void checkRange(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " " + value + "; expected " + min + " to " + max);
        }
    }
}
