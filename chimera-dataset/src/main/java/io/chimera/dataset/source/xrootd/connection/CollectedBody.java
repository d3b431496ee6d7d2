package io.chimera.dataset.source.xrootd.connection;

import io.chimera.dataset.source.xrootd.wire.AnswerException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Collects the parts of an answer in memory, up to a maximum length. */
public final class CollectedBody implements AnswerBody {
    /** Maximum length in bytes of an answer about one file. */
    public static final int SMALL = 16 * 1024;

    /** Memory grows with the received bytes, by at most this length at a time. */
    private static final int STEP_BYTES = 64 * 1024;

    private final int bytesMax;
    private byte[] bytes = {};
    private int length;

    /**
     * Creates an empty body.
     *
     * @param bytesMax maximum length in bytes
     */
    public CollectedBody(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    @Override
    public void receive(LinkInput in, int partLength) throws IOException {
        if (partLength > bytesMax - length) {
            throw new AnswerException("an answer is longer than " + bytesMax + " bytes");
        }
        int end = length + partLength;
        while (length < end) {
            int step = Math.min(end - length, STEP_BYTES);
            ensure(length + step, end);
            in.fill(ByteBuffer.wrap(bytes, length, step));
            length += step;
        }
    }

    private void ensure(int needed, int end) {
        if (bytes.length < needed) {
            bytes = Arrays.copyOf(bytes, Math.max(needed, (int) Math.min(end, 2L * bytes.length)));
        }
    }

    /** Returns the bytes, after the answer is complete. */
    public ByteBuffer bytes() {
        return ByteBuffer.wrap(bytes, 0, length);
    }
}
