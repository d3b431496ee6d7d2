package io.chimera.dataset.source.xrootd.connection;

import io.chimera.dataset.source.xrootd.wire.AnswerException;
import io.chimera.dataset.source.xrootd.wire.PieceHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Writes the ranges of a vector read straight into the buffers of the caller, in the order of the request. */
public final class VectorBody implements AnswerBody {
    private final List<PieceHeader> pieces;
    private final List<ByteBuffer> buffers;
    private int received;

    /**
     * Creates a body.
     *
     * @param pieces the ranges of the request
     * @param buffers one buffer per range with exactly its length remaining
     */
    public VectorBody(List<PieceHeader> pieces, List<ByteBuffer> buffers) {
        this.pieces = pieces;
        this.buffers = buffers;
    }

    /** A part of the answer has whole ranges only. */
    @Override
    public void receive(LinkInput in, int length) throws IOException {
        int rest = length;
        while (rest > 0) {
            if (received == pieces.size() || rest < PieceHeader.BYTES) {
                throw new AnswerException("a vector read has more bytes than asked");
            }
            PieceHeader header = PieceHeader.decode(in.next(PieceHeader.BYTES));
            PieceHeader asked = pieces.get(received);
            if (!header.equals(asked) || rest - PieceHeader.BYTES < asked.length()) {
                throw new AnswerException("a vector read has another range than asked");
            }
            in.fill(buffers.get(received));
            rest -= PieceHeader.BYTES + asked.length();
            received++;
        }
    }

    /** Returns the number of missing ranges. */
    public int missing() {
        return pieces.size() - received;
    }
}
