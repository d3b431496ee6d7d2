package io.chimera.jni.scan;

import io.chimera.api.HotPath;
import io.chimera.jni.NativeLibrary;

/**
 * Goes over many lines of JSON in one call, with vector instructions, as far as they have no hashtags ({@code
 * chimera_scan.h}). Where it is not available its caller searches in Java. Keeps nothing: any thread.
 */
public final class TweetLines {
    /** Place of a result: index of the first byte of the line that the search stopped at. */
    public static final int START = 0;

    /** Place of a result: index of that line's feed; the limit when it has none yet. */
    public static final int LINE_FEED = 1;

    /** Place of a result: number of lines that were gone over. */
    public static final int PASSED = 2;

    /** Number of results. */
    public static final int RESULTS = 3;

    private static final String UNAVAILABILITY_CAUSE = cause();

    private TweetLines() {}

    /** Whether {@link #next} can be called here. */
    public static boolean isAvailable() {
        return UNAVAILABILITY_CAUSE.isEmpty();
    }

    /** Why it cannot; empty when it can. */
    public static String unavailabilityCause() {
        return UNAVAILABILITY_CAUSE;
    }

    /**
     * Goes over lines that are empty, or begin and end with a brace and have empty arrays under keys {@code hashtags} only, and
     * one of these at least. Stops at the first other one, and at one without an end. The garbage collector waits meanwhile,
     * some 2 µs per 64 KiB.
     *
     * @param bytes array with the lines
     * @param from index of the first byte of a line
     * @param limit index behind the last byte that is there
     * @param lengthMax bytes that a line may have to be gone over
     * @param results takes {@link #RESULTS} numbers
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
            return "the native library is of another build: " + e.getMessage();
        }
    }

    private static native boolean supported();

    private static native void scan(byte[] bytes, int from, int limit, int lengthMax, int[] results);
}
