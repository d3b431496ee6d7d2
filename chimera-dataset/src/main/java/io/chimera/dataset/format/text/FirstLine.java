package io.chimera.dataset.format.text;

import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.format.codec.SplitContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Reads the first line of an object, with one small read for a short line. */
final class FirstLine {
    private static final int BYTES_FIRST = 4 << 10;

    private FirstLine() {}

    /**
     * Reads the line.
     *
     * @param content content from the beginning of the object on
     * @param path path of the object, for messages
     * @param lineBytesMax maximum length of the line in bytes
     * @return the line without its line end
     * @throws FormatException when the line is too long
     */
    static byte[] read(SplitContent content, String path, int lineBytesMax) throws IOException {
        byte[] bytes = new byte[Math.min(BYTES_FIRST, lineBytesMax + 1)];
        int used = 0;
        while (true) {
            int count = content.read(ByteBuffer.wrap(bytes, used, bytes.length - used));
            int end = used + Math.max(0, count);
            int lineFeed = LineScan.indexOf(bytes, used, end, '\n');
            if (count < 0 || lineFeed < end) {
                boolean hasReturn = lineFeed > 0 && bytes[lineFeed - 1] == '\r';
                return Arrays.copyOf(bytes, hasReturn ? lineFeed - 1 : lineFeed);
            }
            used = end;
            if (used > lineBytesMax) {
                throw new FormatException(
                        path + ": the header is longer than " + lineBytesMax
                                + " bytes; check compression and format of the object",
                        null);
            }
            if (used == bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.min(2 * bytes.length, lineBytesMax + 1));
            }
        }
    }
}
