package io.chimera.dataset.source.xrootd.connection;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Output of a link. */
interface LinkOutput {
    /**
     * Writes the rest of a buffer with an array. One thread at a time.
     *
     * @throws IOException when the connection ended
     */
    void write(ByteBuffer from) throws IOException;

    /** Closes input and output, and ends a blocked read or write. Any thread, any number of times. */
    void close();
}
