package io.chimera.dataset.format.text;

import io.chimera.dataset.format.ObjectBytes;
import io.chimera.dataset.format.codec.CodecLimits;
import io.chimera.dataset.format.codec.Compression;
import org.jspecify.annotations.Nullable;

/**
 * Options of all text formats.
 *
 * @param compression compression of all objects; null to take the compression of each object from its path
 * @param limits limits of the decoders
 * @param lineBytesMax maximum length of a line in bytes without its line feed, 1 to 256 MiB; a longer line is rejected
 *     and skipped. With quoted lines also the maximum length of a point. Memory of a reader: this length, and at least
 *     256 KiB
 * @param quotedLines whether a point may continue after a line end within double quotes; then each object is one split
 */
public record TextOptions(
        @Nullable Compression compression, CodecLimits limits, int lineBytesMax, boolean quotedLines) {
    /** Compression by path, default limits, lines of up to 4 MiB, each point in one line. */
    public static final TextOptions DEFAULT = new TextOptions(null, CodecLimits.DEFAULT, 4 << 20, false);

    private static final int LINE_BYTES_LIMIT = 256 << 20;
    private static final int SAMPLE_BYTES_MAX = 1024;

    /**
     * Checks the values.
     *
     * @param compression compression, or null
     * @param limits limits of the decoders
     * @param lineBytesMax 1 to 256 MiB
     * @param quotedLines whether points may span lines
     */
    public TextOptions {
        if (lineBytesMax < 1 || lineBytesMax > LINE_BYTES_LIMIT) {
            throw new IllegalArgumentException(
                    "lines of at most " + lineBytesMax + " bytes; expected 1 to " + LINE_BYTES_LIMIT);
        }
    }

    /** Returns the compression of an object. */
    Compression of(ObjectBytes object) {
        return ofPath(object.path());
    }

    /** Returns the compression of an object with a path. */
    Compression ofPath(String path) {
        return compression != null ? compression : Compression.ofPath(path);
    }

    /** Reason to reject a line or a record that is too long. */
    String tooLong() {
        return "line longer than " + lineBytesMax + " bytes";
    }

    /** Maximum length of the text of a rejected line that is too long; every such line has that many bytes. */
    int sampleBytesMax() {
        return Math.min(SAMPLE_BYTES_MAX, lineBytesMax);
    }
}
