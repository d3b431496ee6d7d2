package io.chimera.queue.journal.append;

/** Listens for batches whose predecessors in the stream are missing, and requests retransmission. */
@FunctionalInterface
public interface GapListener {
    /** Called on the journaler's thread, once per such batch; must not block. */
    void onGap(long stream);
}
