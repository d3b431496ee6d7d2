package io.chimera.queue.journal;

/** Hears that batches of a stream came without those that precede them, and has them sent again. */
@FunctionalInterface
public interface GapListener {
    /** Called on the journaler's thread, once per such batch; returns at once. */
    void onGap(long stream);
}
