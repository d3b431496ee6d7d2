package io.chimera.dataset.format.codec;

/**
 * Limits of the decoders, and of the search for frames. The memory of a decoder depends on the window, never on the
 * ratio of the compression: content is handed on piece by piece.
 *
 * @param windowBytesMax maximum window of a zstd frame in bytes, 1 KiB to 128 MiB; the decoder allocates the window
 * @param contentBytesMax maximum number of decompressed bytes of a split and of the event that crosses its end
 * @param frameSearchBytes maximum distance in bytes from a wished end of a split to the next frame; 0 makes every
 *     object one split
 */
public record CodecLimits(long windowBytesMax, long contentBytesMax, long frameSearchBytes) {
    /** Largest window that the zstd library accepts by default. */
    public static final long WINDOW_BYTES_LIMIT = 128L << 20;

    /** Window of 128 MiB, any length of content, frames at most 16 MiB after the wished end of a split. */
    public static final CodecLimits DEFAULT = new CodecLimits(WINDOW_BYTES_LIMIT, Long.MAX_VALUE, 16L << 20);

    private static final long WINDOW_BYTES_MIN = 1 << 10;

    /**
     * Checks the values.
     *
     * @param windowBytesMax 1 KiB to 128 MiB
     * @param contentBytesMax at least 1
     * @param frameSearchBytes at least 0
     */
    public CodecLimits {
        if (windowBytesMax < WINDOW_BYTES_MIN || windowBytesMax > WINDOW_BYTES_LIMIT) {
            throw new IllegalArgumentException(
                    "window of " + windowBytesMax + " bytes; expected 1024 to " + WINDOW_BYTES_LIMIT);
        }
        if (contentBytesMax < 1 || frameSearchBytes < 0) {
            throw new IllegalArgumentException("content of at most " + contentBytesMax + " bytes, search of "
                    + frameSearchBytes + " bytes; expected at least 1 and 0");
        }
    }
}
