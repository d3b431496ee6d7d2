package io.chimera.common.composition;

import io.chimera.api.HotPath;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Restores the order of a pool's input in the pool's output for one consumer. Each thread of the pool writes into a
 * queue of its own, with the sequence number of the input. The consumer takes the output of input 0, then of input 1,
 * and so on, each from the queue of the thread that processed the input. The consumer's thread polls; allocates nothing
 * after construction.
 */
final class PoolMerge {
    private static final int INPUTS_PER_POLL = 256;

    private final PooledStage pool;
    private final PointQueue[] queues;

    /** Sequence number of the next input, written by the consumer's thread. */
    private final AtomicLong next = new AtomicLong();

    /** Creates a merge before the two consumers. */
    PoolMerge(PooledStage pool, PointConsumer taker, PointQueue.MarkConsumer marks) {
        this.pool = pool;
        queues = new PointQueue[pool.threads()];
        for (int i = 0; i < queues.length; i++) {
            queues[i] = new PointQueue(taker, marks);
        }
    }

    /** Returns the queue of a thread of the pool. */
    PointQueue queue(int thread) {
        return queues[thread];
    }

    /** Returns the sequence number before which the consumer has all output. Any thread. */
    long next() {
        return next.get();
    }

    /** Delivers output of some inputs and returns a number above 0 if output was delivered. */
    @HotPath
    int poll() {
        long sequence = next.get();
        long first = sequence;
        long end = Math.min(pool.given(), sequence + INPUTS_PER_POLL);
        int bytes = 0;
        while (sequence < end) {
            int thread = pool.threadOf(sequence);
            boolean isDone = pool.isDone(thread, sequence); // before the read, so that the read finds all output
            int read = queues[thread].pollOf(sequence);
            bytes += read;
            if (read == 0) {
                if (!isDone) {
                    break;
                }
                next.lazySet(++sequence);
            }
        }
        return bytes + (int) (sequence - first);
    }
}
