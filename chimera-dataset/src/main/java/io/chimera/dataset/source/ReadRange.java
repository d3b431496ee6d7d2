package io.chimera.dataset.source;

import java.nio.ByteBuffer;

/**
 * Bytes of an object that one read asks for.
 *
 * @param first offset of the first byte
 * @param last offset of the last byte, at least {@code first}
 */
public record ReadRange(long first, long last) {
    /**
     * Checks the order.
     *
     * @param first offset of the first byte, at least 0
     * @param last offset of the last byte
     */
    public ReadRange {
        if (first < 0 || last < first) {
            throw new IllegalArgumentException("range " + first + " to " + last + "; expected an ascending range");
        }
    }

    /**
     * Returns the range from an offset on that fills the buffer.
     *
     * @param object the object
     * @param offset offset of the first byte in the object
     * @param into a buffer with at least one byte of room
     * @throws IllegalArgumentException when the range does not lie within the object
     */
    public static ReadRange of(DataObject object, long offset, ByteBuffer into) {
        int length = into.remaining();
        if (length == 0 || offset < 0 || offset > object.length() - length) {
            throw new IllegalArgumentException("read of " + length + " bytes at " + offset + " of " + object.path()
                    + " with " + object.length() + " bytes; expected a range within the object");
        }
        return new ReadRange(offset, offset + length - 1);
    }

    /** Returns the length in bytes. */
    public long length() {
        return last - first + 1;
    }

    /** Returns whether the range is the whole object. */
    public boolean isWhole(DataObject object) {
        return first == 0 && length() == object.length();
    }
}
