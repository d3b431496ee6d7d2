package io.chimera.common.composition;

import static io.chimera.common.wire.BodyLayout.LENGTH_MAX;

import io.chimera.api.HotPath;
import io.chimera.api.spi.Text;
import java.util.Arrays;

/** Buffer of concatenated UTF-8 texts before their encoding. Single-threaded; allocates only to grow. */
final class Utf8Scratch {
    /** Maximum length in bytes, above the size of any valid point. */
    private static final int LENGTH_LIMIT = 4 * LENGTH_MAX;

    private static final int BYTES_PER_CHAR_MAX = 3;

    private byte[] bytes = new byte[1024];
    private int used;

    Utf8Scratch() {}

    /** Array with the texts; {@link #add} may replace the array. */
    byte[] bytes() {
        return bytes;
    }

    /** Index after the last text. */
    int used() {
        return used;
    }

    /** Drops the texts from an index on. */
    void rewind(int to) {
        used = to;
    }

    /**
     * Adds a text.
     *
     * @return length in bytes; -1 if the buffer has no room
     */
    @HotPath
    int add(CharSequence text) {
        int start = used;
        if (text instanceof Text known) {
            if (!hasRoom(known.size())) {
                return -1;
            }
            known.copyTo(bytes, used);
            used += known.size();
            return used - start;
        }
        int length = text.length();
        if (!hasRoom((long) BYTES_PER_CHAR_MAX * length)) {
            return -1;
        }
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes[used++] = (byte) c;
            } else {
                i += addOther(text, i, c);
            }
        }
        return used - start;
    }

    /**
     * Encodes a non-ASCII character; an unpaired surrogate becomes a question mark, as in the JDK. Returns the number
     * of additional chars consumed.
     */
    private int addOther(CharSequence text, int index, char c) {
        if (c < 0x800) {
            bytes[used++] = (byte) (0xC0 | (c >> 6));
            continuation(c);
            return 0;
        }
        if (!Character.isSurrogate(c)) {
            bytes[used++] = (byte) (0xE0 | (c >> 12));
            continuation(c >> 6);
            continuation(c);
            return 0;
        }
        boolean isPair = Character.isHighSurrogate(c)
                && index + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(index + 1));
        if (!isPair) {
            bytes[used++] = '?';
            return 0;
        }
        int point = Character.toCodePoint(c, text.charAt(index + 1));
        bytes[used++] = (byte) (0xF0 | (point >> 18));
        continuation(point >> 12);
        continuation(point >> 6);
        continuation(point);
        return 1;
    }

    private void continuation(int bits) {
        bytes[used++] = (byte) (0x80 | (bits & 0x3F));
    }

    private boolean hasRoom(long more) {
        long needed = used + more;
        if (needed > LENGTH_LIMIT) {
            return false;
        }
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(LENGTH_LIMIT, Math.max(needed, 2L * bytes.length)));
        }
        return true;
    }
}
