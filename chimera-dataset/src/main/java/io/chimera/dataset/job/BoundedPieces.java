package io.chimera.dataset.job;

import io.chimera.dataset.compute.PieceSink;
import java.io.IOException;
import org.agrona.DirectBuffer;

/**
 * Bounds the pieces of a split, whose index is in memory until the split ends. A large split without any order in time
 * may have a piece per event. One thread.
 */
final class BoundedPieces implements PieceSink {
    /** Memory of a piece of the index: an object with 40 bytes and its reference, then 32 bytes of the written index. */
    private static final int BYTES_PER_PIECE = 80;

    /** Maximum length of an index is 2 GiB, with 32 bytes per piece. */
    private static final int PIECES_LIMIT = 1 << 25;

    private final PieceSink out;
    private final Split split;
    private final int piecesMax;
    private int pieces;

    /**
     * Creates a bound.
     *
     * @param out takes the pieces
     * @param split the split
     * @param bytesMax memory for the index in bytes
     */
    BoundedPieces(PieceSink out, Split split, long bytesMax) {
        this.out = out;
        this.split = split;
        piecesMax = (int) Math.min(PIECES_LIMIT, bytesMax / BYTES_PER_PIECE);
    }

    @Override
    public void piece(int pipeline, long startNs, DirectBuffer body, int length) throws IOException {
        if (pieces == piecesMax) {
            throw new JobException(
                    split + " has more than " + piecesMax + " pieces, one per window and pipeline, and further ones"
                            + " where its events are not ordered by time; use a longer window, a smaller split, more"
                            + " memory, or sort the events by time",
                    null);
        }
        pieces++;
        out.piece(pipeline, startNs, body, length);
    }
}
