package io.chimera.api.spi;

/**
 * UTF-8 text in somebody else's memory, valid as long as what it was taken from. Two texts are equal when their bytes are.
 * As a {@link CharSequence} it is as long as it has chars; that decodes it, which allocates unless it is ASCII.
 */
public interface Text extends CharSequence {
    /**
     * Number of bytes.
     *
     * @return at least 0
     */
    int size();

    /**
     * A byte.
     *
     * @param index 0 to {@link #size()} - 1
     * @return the byte
     */
    byte byteAt(int index);

    /**
     * Copies all bytes.
     *
     * @param target where to
     * @param offset index in the target
     */
    void copyTo(byte[] target, int offset);

    /**
     * A hash of the bytes: the same on every node and in every version.
     *
     * @return 64 bits, all of them mixed
     */
    long hash();

    /**
     * Whether the bytes are those of a text.
     *
     * @param other the text
     * @return true when they are
     */
    boolean is(CharSequence other);
}
