package io.chimera.archive.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;

/** Answer with a transfer failure after its last byte. */
public final class CutOffAnswer extends InputStream {
    public static final String CAUSE = "cut off";

    private CutOffAnswer() {}

    public static InputStream behind(byte[] answer) {
        return new SequenceInputStream(new ByteArrayInputStream(answer), new CutOffAnswer());
    }

    @Override
    public int read() throws IOException {
        throw new IOException(CAUSE);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        throw new IOException(CAUSE);
    }
}
