package io.chimera.common.composition;

import io.chimera.api.HotPath;
import io.chimera.api.spi.Text;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.common.wire.SeriesHash;
import org.agrona.DirectBuffer;

/** View of a text in a buffer. Not thread-safe; allocates only to decode non-ASCII text or to create strings. */
final class TextFlyweight implements Text {
    private static final int UNKNOWN = -1;

    private DirectBuffer buffer;
    private int offset;
    private int size;

    /** 1 for ASCII only, 0 for other texts, {@link #UNKNOWN} before the first check. */
    private int ascii;

    private String decoded;

    /** Whether {@code hash} is valid. */
    private boolean isHashed;

    private long hash;

    TextFlyweight() {}

    @HotPath
    TextFlyweight wrap(DirectBuffer source, int start, int bytes) {
        if (buffer != source) {
            buffer = source; // skips the GC write barrier when the reference is unchanged
        }
        offset = start;
        size = bytes;
        ascii = UNKNOWN;
        isHashed = false;
        if (decoded != null) {
            decoded = null;
        }
        return this;
    }

    /** Sets the hash computed for an earlier wrap of the same text. */
    TextFlyweight withHash(long known) {
        hash = known;
        isHashed = true;
        return this;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public byte byteAt(int index) {
        return buffer.getByte(offset + index);
    }

    @Override
    public void copyTo(byte[] target, int targetOffset) {
        buffer.getBytes(offset, target, targetOffset, size);
    }

    @Override
    public long hash() {
        return isHashed ? hash : SeriesHash.of(buffer, offset, size);
    }

    @Override
    public boolean is(CharSequence other) {
        return other instanceof TextFlyweight text ? isSame(text) : isSame(buffer, offset, size, other);
    }

    private boolean isSame(TextFlyweight other) {
        if (size != other.size) {
            return false;
        }
        for (int i = 0; i < size; i++) {
            if (byteAt(i) != other.byteAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the bytes at a position are equal to a text. */
    @HotPath
    static boolean isSame(DirectBuffer buffer, int offset, int size, CharSequence text) {
        int length = text.length();
        if (size < length) {
            return false; // every char takes at least one byte
        }
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                return isSameDecoded(buffer, offset, size, text);
            }
            if (c != buffer.getByte(offset + i)) {
                return false;
            }
        }
        return size == length;
    }

    private static boolean isSameDecoded(DirectBuffer buffer, int offset, int size, CharSequence text) {
        return RecordDecoder.text(buffer, offset, size).contentEquals(text);
    }

    private boolean isAscii() {
        if (ascii == UNKNOWN) {
            int bits = 0;
            for (int i = 0; i < size; i++) {
                bits |= byteAt(i);
            }
            ascii = (bits & 0x80) == 0 ? 1 : 0;
        }
        return ascii == 1;
    }

    @Override
    public int length() {
        return isAscii() ? size : toString().length();
    }

    @Override
    public char charAt(int index) {
        return isAscii() ? (char) byteAt(index) : toString().charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return toString().subSequence(start, end);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TextFlyweight text && isSame(text);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(hash());
    }

    @Override
    public String toString() {
        if (decoded == null) {
            decoded = RecordDecoder.text(buffer, offset, size);
        }
        return decoded;
    }
}
