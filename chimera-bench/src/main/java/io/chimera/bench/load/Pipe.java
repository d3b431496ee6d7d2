package io.chimera.bench.load;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Byte stream of one connection. One thread. */
interface Pipe extends AutoCloseable {
    /** Writes both buffers completely. */
    void write(ByteBuffer head, ByteBuffer body) throws IOException;

    /** Reads some bytes into a buffer with an array; returns a negative number at the end. */
    int read(ByteBuffer into) throws IOException;

    @Override
    void close() throws IOException;
}
