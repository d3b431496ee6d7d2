package io.chimera.queue.source;

import io.chimera.common.ring.Completion;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Tracks the slots of one request up to the journal. A request may fill several slots, and each slot may fail
 * independently: the request succeeds once every slot is journaled and the source has published its last slot. The
 * source's thread publishes, the journaler's thread completes.
 */
abstract class Delivery implements Completion {
    /** Number of unfinished slots, plus one until the source has published its last slot. */
    private final AtomicInteger open = new AtomicInteger(1);

    private final AtomicReference<String> failure = new AtomicReference<>();
    private final AtomicBoolean done = new AtomicBoolean();

    /** Registers a slot before the slot is published. */
    final void published() {
        open.incrementAndGet();
    }

    /** Marks the end of publishing. */
    final void complete() {
        close();
    }

    /** Fails the request, regardless of unfinished slots. */
    final void abandon(String reason) {
        finish(reason);
    }

    @Override
    public final void journaled() {
        close();
    }

    @Override
    public final void failed(String reason) {
        failure.compareAndSet(null, reason);
        close();
    }

    private void close() {
        if (open.decrementAndGet() == 0) {
            finish(failure.get());
        }
    }

    private void finish(String reason) {
        if (done.compareAndSet(false, true)) {
            done(reason);
        }
    }

    /**
     * Handles the result; called once, by the last thread to finish.
     *
     * @param reason reason of the failure; null when every record is journaled
     */
    abstract void done(String reason);
}
