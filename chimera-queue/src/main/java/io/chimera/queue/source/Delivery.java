package io.chimera.queue.source;

import io.chimera.common.ring.Completion;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Follows the slots of one request to the journal. A request may fill several slots, and each may fail by itself, so
 * success is told only when every slot is journaled and the source has said that there are no more. The source's thread
 * publishes, the journaler's completes.
 */
abstract class Delivery implements Completion {
    /** Slots on their way, and one for the source until it is done. */
    private final AtomicInteger open = new AtomicInteger(1);

    private final AtomicReference<String> failure = new AtomicReference<>();
    private final AtomicBoolean done = new AtomicBoolean();

    /** A slot of the request is about to be published. */
    final void published() {
        open.incrementAndGet();
    }

    /** The source has published everything. */
    final void complete() {
        close();
    }

    /** The source gives up: the request has failed, whatever becomes of the slots that are on their way. */
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
     * Everything is dealt with; called once, by the thread that came last.
     *
     * @param reason why the request failed; null when every record is journaled
     */
    abstract void done(String reason);
}
