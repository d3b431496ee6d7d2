package io.chimera.node.load;

import java.io.IOException;
import java.io.OutputStream;

/** Writes batches to a file or to standard output. */
final class StreamTarget implements LoadTarget {
    private final OutputStream out;

    StreamTarget(OutputStream out) {
        this.out = out;
    }

    @Override
    public long send(byte[] batch) throws IOException {
        out.write(batch);
        return 0;
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
