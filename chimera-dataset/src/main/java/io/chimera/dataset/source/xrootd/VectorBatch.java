package io.chimera.dataset.source.xrootd;

import io.chimera.dataset.source.xrootd.wire.PieceHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Ranges of one vector request. The protocol bounds number and length of the ranges, so that a vector read may need
 * several requests, and a long range several entries.
 *
 * @param offsets offset of each range in the object
 * @param buffers one buffer per range; shares its bytes with the buffer of the caller
 */
record VectorBatch(List<Long> offsets, List<ByteBuffer> buffers) {
    /** Maximum length in bytes of all ranges of a request, so that other requests of the connection are not delayed. */
    private static final int BATCH_BYTES_MAX = 16 * 1024 * 1024;

    /** Returns the requests for some ranges. The positions of the callers' buffers do not move. */
    static List<VectorBatch> split(List<VectorPart> parts) {
        List<VectorBatch> batches = new ArrayList<>();
        VectorBatch batch = new VectorBatch(new ArrayList<>(), new ArrayList<>());
        int batchBytes = 0;
        for (VectorPart part : parts) {
            int length = part.into().remaining();
            for (int from = 0; from < length; from += PieceHeader.LENGTH_MAX) {
                int piece = Math.min(PieceHeader.LENGTH_MAX, length - from);
                if (batch.offsets.size() == PieceHeader.PIECES_MAX
                        || (batchBytes > 0 && batchBytes + piece > BATCH_BYTES_MAX)) {
                    batches.add(batch);
                    batch = new VectorBatch(new ArrayList<>(), new ArrayList<>());
                    batchBytes = 0;
                }
                batch.offsets.add(part.offset() + from);
                batch.buffers.add(part.into().slice(part.into().position() + from, piece));
                batchBytes += piece;
            }
        }
        if (batchBytes > 0) {
            batches.add(batch);
        }
        return batches;
    }
}
