package io.chimera.common.composition;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.Agent;

/**
 * One thread of a pool, with a queue, a runner for each block of the pool, and the state of the partitions that the
 * thread owns.
 */
final class PoolWorker implements Agent {
    /** Kind of the mark that ends a cycle in the first block; the next blocks follow. */
    static final int FIRST_BLOCK = Stage.PLAIN + 1;

    private final String name;
    private final PooledStage pool;
    private final boolean isLast;
    private final List<BlockRunner> runners = new ArrayList<>();
    private PointQueue queue;

    /** Sequence number of the last input with all its output in the queue of the consumer. */
    private final AtomicLong done = new AtomicLong(-1);

    private long marks;

    /** Number of processed marks, written by this thread. */
    private volatile long marksDone;

    /** Fatal error of this thread; points were lost, and the composition is unusable. */
    private volatile Throwable failure;

    /**
     * Creates a thread without blocks.
     *
     * @param isLast whether this is the last thread to receive a mark, which forwards the mark
     */
    PoolWorker(String name, PooledStage pool, boolean isLast) {
        this.name = name;
        this.pool = pool;
        this.isLast = isLast;
    }

    void add(BlockRunner runner) {
        runners.add(0, runner); // blocks are created from last to first
    }

    List<BlockRunner> runners() {
        return runners;
    }

    void queueAhead(String head) {
        BlockRunner first = BlockRunner.find(runners, head);
        queue = new PointQueue(
                (point, partition) -> {
                    first.accept(point, partition);
                    done.lazySet(queue.sequence());
                },
                this::onMark);
    }

    private void onMark(int kind, int partition, long value) {
        if (kind >= FIRST_BLOCK) {
            runners.get(kind - FIRST_BLOCK).endCycle(value, partition);
        } else if (isLast) {
            pool.forwardMark(kind, value, queue.sequence());
        }
        done.lazySet(queue.sequence());
        if (kind < FIRST_BLOCK) {
            marksDone = ++marks;
        }
    }

    PointQueue queue() {
        return queue;
    }

    /** Returns the sequence number of the current input. This thread. */
    long sequence() {
        return queue.sequence();
    }

    long done() {
        return done.get();
    }

    long marksDone() {
        return marksDone;
    }

    Throwable failure() {
        return failure;
    }

    @Override
    public int doWork() {
        if (failure != null) {
            return 0;
        }
        try {
            return queue.poll();
        } catch (RuntimeException | Error e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public String roleName() {
        return "block-" + name;
    }
}
