package io.chimera.dataset.format;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Bytes of one object, readable at any offset: read ahead from a data source, or from a copy. One thread at a time. The
 * reading is fastest when the offsets ascend.
 */
public interface ObjectBytes {
    /** Returns the path of the object, for messages. */
    String path();

    /** Returns the length of the object in bytes. */
    long length();

    /**
     * Returns a key of the content: two objects with equal keys have the same bytes. By default each object is equal to
     * itself only.
     */
    default Object contentKey() {
        return this;
    }

    /**
     * Reads bytes; waits until at least one byte is there.
     *
     * @param offset offset of the first byte in the object, at least 0
     * @param into receives at least one byte, and advances by the bytes read; has room for at least one
     * @return number of bytes read; -1 when the offset is at or after the end of the object
     * @throws IOException when the bytes cannot be read: a {@link io.chimera.dataset.source.SourceException} after the
     *     last attempt
     */
    int read(long offset, ByteBuffer into) throws IOException;
}
