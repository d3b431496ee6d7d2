package io.chimera.dataset.format.parquet;

import io.chimera.dataset.format.ObjectBytes;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads whole ranges of an object. */
final class ObjectReads {
    private ObjectReads() {}

    /**
     * Fills a part of an array.
     *
     * @param object the object
     * @param offset offset of the first byte in the object
     * @param into receives the bytes
     * @param at index of the first byte in the array
     * @param length number of bytes
     * @throws ParquetDefect when the object ends before
     */
    static void full(ObjectBytes object, long offset, byte[] into, int at, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(into, at, length);
        long next = offset;
        while (buffer.hasRemaining()) {
            int count = object.read(next, buffer);
            if (count <= 0) {
                throw new ParquetDefect(
                        "the object ends at offset " + next + ", expected bytes up to " + (offset + length));
            }
            next += count;
        }
    }
}
