package io.chimera.api.spi;

/**
 * UTF-8 text in memory owned by the node, valid as long as the object that returned the text. Two texts are equal when
 * their bytes are equal. The methods of {@link CharSequence} count chars, not bytes, and decode the bytes; decoding
 * allocates, except for pure ASCII.
 */
public interface Text extends CharSequence {
    /**
     * Returns the number of bytes.
     *
     * @return at least 0
     */
    int size();

    /**
     * Returns a byte.
     *
     * @param index 0 to {@link #size()} - 1
     * @return the byte
     */
    byte byteAt(int index);

    /**
     * Copies all bytes.
     *
     * @param target destination array
     * @param offset index of the first byte in the target
     */
    void copyTo(byte[] target, int offset);

    /**
     * Returns a hash of the bytes, equal on every node and in every version.
     *
     * @return 64 well-mixed bits
     */
    long hash();

    /**
     * Returns whether this text equals a char sequence.
     *
     * @param other the char sequence
     * @return true when the bytes are equal
     */
    boolean is(CharSequence other);
}
