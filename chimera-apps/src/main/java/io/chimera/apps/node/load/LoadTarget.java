package io.chimera.apps.node.load;

import java.io.IOException;

/** Where a worker of the load sends its batches; one thread. */
public interface LoadTarget extends AutoCloseable {
    /**
     * Sends a batch and waits until it is taken, as far as the protocol says so.
     *
     * @param batch whole points
     * @return points of the batch that the other side refused
     * @throws IOException when it cannot be sent; some of it may have arrived
     * @throws InterruptedException when the load is stopped
     */
    long send(byte[] batch) throws IOException, InterruptedException;

    /** The most points that fit into one batch. */
    default int batchPointsMax() {
        return Integer.MAX_VALUE;
    }

    @Override
    default void close() throws IOException {}
}
