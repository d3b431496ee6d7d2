package io.chimera.node.load;

import java.io.IOException;

/** Receiver of a load worker's batches; one thread. */
public interface LoadTarget extends AutoCloseable {
    /**
     * Sends a batch, and waits for its acknowledgement if the protocol has one.
     *
     * @param batch complete points
     * @return number of refused points in the batch
     * @throws IOException when the send fails; a part may have arrived
     * @throws InterruptedException when the load is stopped
     */
    long send(byte[] batch) throws IOException, InterruptedException;

    /** Returns the maximum number of points per batch. */
    default int batchPointsMax() {
        return Integer.MAX_VALUE;
    }

    @Override
    default void close() throws IOException {}
}
