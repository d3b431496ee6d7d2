package io.chimera.queue.capture;

import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;

/**
 * The batches that are under way from source to sink. With a pool the sink gives them back to the source through a queue; without
 * one the source allocates and the sink frees them. Either way there are no more than a fixed number. The source takes, the sink
 * gives.
 */
final class TupleBatches {
    /** Batches: 16 x 56 KiB, some for each of four operators. */
    static final int COUNT = 16;

    private final boolean isPooled;
    private final OneToOneConcurrentArrayQueue<TupleBatch> pool = new OneToOneConcurrentArrayQueue<>(COUNT);
    private final AtomicInteger underWay = new AtomicInteger();

    TupleBatches(boolean isPooled) {
        this.isPooled = isPooled;
        for (int i = 0; isPooled && i < COUNT; i++) {
            pool.add(new TupleBatch());
        }
    }

    /** An empty batch; null while all are under way. */
    TupleBatch take() {
        TupleBatch batch;
        if (isPooled) {
            batch = pool.poll();
        } else {
            batch = underWay.get() == COUNT ? null : new TupleBatch();
            underWay.addAndGet(batch == null ? 0 : 1);
        }
        if (batch != null) {
            batch.clear();
        }
        return batch;
    }

    /** Gives a batch back. */
    void give(TupleBatch batch) {
        if (isPooled) {
            pool.offer(batch);
        } else {
            batch.free();
            underWay.decrementAndGet();
        }
    }

    /** Frees what is in the pool; when nobody works any more. */
    void close() {
        pool.drain(TupleBatch::free);
    }
}
