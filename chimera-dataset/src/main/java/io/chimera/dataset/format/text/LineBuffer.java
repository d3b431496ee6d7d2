package io.chimera.dataset.format.text;

import io.chimera.dataset.format.codec.SplitContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Whole lines of a split in an array. Reads content up to the end of the line that crosses or begins at the end of the
 * split. One thread; allocates only to grow.
 */
final class LineBuffer {
    private static final int BYTES_FIRST = 256 << 10;

    private final SplitContent content;
    private final int lineBytesMax;

    private byte[] bytes = new byte[BYTES_FIRST];
    private ByteBuffer view = ByteBuffer.wrap(bytes);

    /** Index of the first byte that is not consumed. */
    private int start;

    /** Index after the last byte. */
    private int end;

    /** Number of bytes from the start on that contain no line feed. */
    private int searched;

    private boolean isLast;
    private boolean isSkipping;

    /**
     * Creates an empty buffer.
     *
     * @param content content of the split
     * @param lineBytesMax maximum length of a line in bytes
     * @param isSkipping whether to begin after the first line feed of the split; without a line feed the split is empty
     */
    LineBuffer(SplitContent content, int lineBytesMax, boolean isSkipping) {
        this.content = content;
        this.lineBytesMax = lineBytesMax;
        this.isSkipping = isSkipping;
    }

    byte[] bytes() {
        return bytes;
    }

    int start() {
        return start;
    }

    int length() {
        return end - start;
    }

    /** Whether the buffer contains the last bytes of the split. */
    boolean isLast() {
        return isLast;
    }

    /** Reads some content; not after {@link #isLast}. */
    void fill() throws IOException {
        makeRoom();
        int before = end;
        int count = content.read(view.limit(bytes.length).position(before));
        if (count < 0) {
            isLast = true;
            return;
        }
        end += count;
        if (!content.isInSplit()) {
            int lineFeed = LineScan.indexOf(bytes, before, end, '\n');
            if (isSkipping || lineFeed < end) {
                // the next split begins after this line feed
                end = isSkipping ? before : lineFeed + 1;
                isLast = true;
            }
        }
    }

    private void makeRoom() {
        if (start > 0) {
            System.arraycopy(bytes, start, bytes, 0, end - start);
            end -= start;
            start = 0;
        }
        if (end == bytes.length) {
            // One byte more than a line may have reveals that the line is too long, and its bytes are dropped. So a
            // buffer of that size is never full here.
            bytes = Arrays.copyOf(bytes, Math.min(2 * bytes.length, lineBytesMax + 1));
            view = ByteBuffer.wrap(bytes);
        }
    }

    /** Skips the rest of a line that is not wanted, as far as the rest is in the buffer. */
    void skipUnwanted() {
        if (isSkipping) {
            int lineFeed = LineScan.indexOf(bytes, start, end, '\n');
            isSkipping = lineFeed == end;
            consumeTo(Math.min(lineFeed + 1, end));
        }
    }

    /** Whether the buffer begins with a line of more bytes than a line may have, and does not contain its end. */
    boolean isLineTooLong() {
        return !isLast && end - start > lineBytesMax && endOfLines() == start;
    }

    /** Drops the unfinished line in the buffer, and the rest of the line as it arrives. */
    void skipUnfinishedLine() {
        consumeTo(end);
        isSkipping = true;
        isLast |= !content.isInSplit();
    }

    /** Index after the last whole line; at the end of the split, after the last byte. */
    int endOfLines() {
        if (isLast) {
            return end;
        }
        int lineFeed = LineScan.lastLineFeed(bytes, start + searched, end);
        if (lineFeed < 0) {
            searched = end - start;
            return start;
        }
        return lineFeed + 1;
    }

    void consumeTo(int index) {
        start = index;
        searched = 0;
    }
}
