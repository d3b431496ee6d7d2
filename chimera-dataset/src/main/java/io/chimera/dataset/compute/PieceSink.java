package io.chimera.dataset.compute;

import java.io.IOException;
import org.agrona.DirectBuffer;

/** Receives the pieces of a split. */
@FunctionalInterface
public interface PieceSink {
    /**
     * Takes a piece: aggregates or records of a window, for a pipeline. The pieces of a window and pipeline are merged
     * in the order of the calls.
     *
     * @param pipeline ordinal of the pipeline
     * @param startNs start of the window, nanoseconds since 1970
     * @param body entries of {@link io.chimera.common.wire.BodyLayout} from index 0; valid during the call
     * @param length length of the body in bytes, more than 0
     * @throws IOException when the piece cannot be kept
     */
    void piece(int pipeline, long startNs, DirectBuffer body, int length) throws IOException;
}
