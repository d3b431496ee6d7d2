package io.chimera.jni.scan;

import io.chimera.api.HotPath;
import io.chimera.jni.NativeLibrary;

/**
 * Skips lines of JSON without hashtags, many lines per call, with vector instructions ({@code chimera_scan.h}). When
 * unavailable, the caller searches in Java. Stateless and thread-safe.
 */
public final class TweetLines {
    /** Index of a result: first byte of the line where the search stopped. */
    public static final int START = 0;

    /** Index of a result: line feed of that line; the limit without a line feed. */
    public static final int LINE_FEED = 1;

    /** Index of a result: number of skipped lines. */
    public static final int PASSED = 2;

    /** Number of results. */
    public static final int RESULTS = 3;

    private static final String UNAVAILABILITY_CAUSE = cause();

    private TweetLines() {}

    /** Whether {@link #next} can be called on this machine. */
    public static boolean isAvailable() {
        return UNAVAILABILITY_CAUSE.isEmpty();
    }

    /** Returns the reason why {@link #next} is unavailable; empty when available. */
    public static String unavailabilityCause() {
        return UNAVAILABILITY_CAUSE;
    }

    /**
     * Skips empty lines, and lines enclosed in braces with at least one key {@code hashtags} and only empty arrays
     * under such keys. Stops at the first other line, and at an incomplete line. The garbage collector is blocked
     * meanwhile, about 2 µs per 64 KiB.
     *
     * @param bytes array with the lines
     * @param from first byte of a line
     * @param limit index after the last available byte
     * @param lengthMax maximum length of a skipped line
     * @param results receives {@link #RESULTS} numbers
     */
    @HotPath
    public static void next(byte[] bytes, int from, int limit, int lengthMax, int[] results) {
        if (from < 0 || from > limit || limit > bytes.length || results.length < RESULTS) {
            throw new IndexOutOfBoundsException();
        }
        scan(bytes, from, limit, lengthMax, results);
    }

    private static String cause() {
        try {
            if (!NativeLibrary.isLoaded()) {
                return NativeLibrary.loadFailure();
            }
            return supported() ? "" : "the processor lacks AVX2.";
        } catch (UnsatisfiedLinkError e) {
            return "the native library does not match: " + e.getMessage();
        }
    }

    private static native boolean supported();

    private static native void scan(byte[] bytes, int from, int limit, int lengthMax, int[] results);
}
