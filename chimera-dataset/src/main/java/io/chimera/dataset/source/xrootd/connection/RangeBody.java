package io.chimera.dataset.source.xrootd.connection;

import io.chimera.dataset.source.xrootd.wire.AnswerException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes the bytes of a range straight into the buffer of the caller. */
public final class RangeBody implements AnswerBody {
    private final ByteBuffer into;

    /**
     * Creates a body.
     *
     * @param into receives the bytes from position to limit; the position moves with the bytes
     */
    public RangeBody(ByteBuffer into) {
        this.into = into;
    }

    @Override
    public void receive(LinkInput in, int length) throws IOException {
        if (length > into.remaining()) {
            throw new AnswerException(
                    "a range is longer than asked by at least " + (length - into.remaining()) + " bytes");
        }
        int limit = into.limit();
        into.limit(into.position() + length);
        try {
            in.fill(into);
        } finally {
            into.limit(limit);
        }
    }

    /** Returns the number of missing bytes. */
    public int missing() {
        return into.remaining();
    }
}
