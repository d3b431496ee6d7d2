package io.chimera.flow.capture;

import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;

/**
 * Fixed number of batches in flight between source and sink. With a pool, the sink returns batches to the source
 * through a queue; without a pool, the source allocates batches and the sink frees them. The source takes, the sink
 * gives.
 */
final class TupleBatches {
    /** Number of batches: 16 x 56 KiB, some for each of four operators. */
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

    /** Returns an empty batch; null while all batches are in flight. */
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

    /** Returns a batch after use. */
    void give(TupleBatch batch) {
        if (isPooled) {
            pool.offer(batch);
        } else {
            batch.free();
            underWay.decrementAndGet();
        }
    }

    /** Frees the pooled batches; to be called after all operators have stopped. */
    void close() {
        pool.drain(TupleBatch::free);
    }
}
