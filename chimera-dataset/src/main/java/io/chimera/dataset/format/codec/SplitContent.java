package io.chimera.dataset.format.codec;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Decompressed bytes of a split, followed by the decompressed bytes of the rest of the object. An event that begins in
 * the split may end after the split. One thread.
 */
public interface SplitContent extends AutoCloseable {
    /**
     * Reads content. The bytes of one call lie either all in the split or all after the split.
     *
     * @param into receives at least one byte, and advances by the bytes read; has room for at least one, and an array
     * @return number of bytes read; -1 at the end of the object
     * @throws IOException when the object cannot be read
     * @throws io.chimera.dataset.format.FormatException when the object is damaged or exceeds a limit; the bytes so far
     *     are valid
     */
    int read(ByteBuffer into) throws IOException;

    /** Returns whether the bytes of the most recent {@link #read} lie in the split. */
    boolean isInSplit();

    /** Releases buffers and decoder; not the object. */
    @Override
    void close();
}
