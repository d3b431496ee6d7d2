package io.chimera.bench.load;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The bytes of one connection. One thread. */
interface Pipe extends AutoCloseable {
    /** Writes both buffers whole. */
    void write(ByteBuffer head, ByteBuffer body) throws IOException;

    /** Reads some bytes; fewer than 0 at the end. The buffer has an array. */
    int read(ByteBuffer into) throws IOException;

    @Override
    void close() throws IOException;
}
