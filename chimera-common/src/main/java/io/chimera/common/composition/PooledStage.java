package io.chimera.common.composition;

import io.chimera.api.HotPath;
import io.chimera.common.agent.AgentThreads;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Blocks of a pool of threads. The thread that gives the points numbers every input and hands the input to one thread
 * of the pool: by turns if no block of the pool has state, otherwise to the owner of the point's partition, so that the
 * same key always meets the same state on the same thread. The consumer restores the order of the inputs
 * ({@link PoolMerge}), so the output is the output of a single thread, at any timing.
 *
 * <p>The ends of cycles are inputs too, one for each block and partition, in the order in which a single thread ends
 * them. All queues are bounded, and a full queue blocks its producer. The oldest unfinished input can always proceed,
 * because the consumer takes the output of this input first; so the pool cannot block in a circle.
 */
final class PooledStage implements Stage {
    /** Inputs on the way through the pool, one byte each; 4 MiB of points of 64 bytes. A power of two. */
    private static final int INPUTS_MAX = 1 << 16;

    private final String name;
    private final Composition composition;
    private final PoolWorker[] workers;
    private final boolean hasState;

    /** Threads of the inputs on the way, by the lower bits of the sequence number. */
    private final byte[] threads = new byte[INPUTS_MAX];

    /** Number of inputs handed to the threads, written by the thread that gives the points. */
    private final AtomicLong given = new AtomicLong();

    /** Threads by partition. */
    private final int[] owners;

    private final BitSet opened;
    private int nextOwner;

    /** Consumer of all output; a plan has no two threads after one. */
    private PoolMerge merge;

    private boolean isFedByCaller;
    private boolean isEntered;

    /** Sequence number after the last input for which the consumer is known to have room. */
    private long roomUntil = INPUTS_MAX;

    /**
     * Creates a pool without blocks.
     *
     * @param size number of threads, 2 to 127
     * @param hasState whether a block of the pool has state
     */
    PooledStage(String name, int size, boolean hasState, int partitions, Composition composition) {
        this.name = name;
        this.hasState = hasState;
        this.composition = composition;
        owners = new int[partitions];
        opened = new BitSet(partitions);
        workers = new PoolWorker[size];
        for (int i = 0; i < size; i++) {
            workers[i] = new PoolWorker(name + "-" + i, this, i == size - 1);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int threads() {
        return workers.length;
    }

    @Override
    public void add(BlockRunner runner, int thread) {
        workers[thread].add(runner);
    }

    @Override
    public BlockRunner runner(String block, int thread) {
        return BlockRunner.find(workers[thread].runners(), block);
    }

    @Override
    public PointConsumer entry(String head, Stage from, int thread) {
        if (!isEntered) {
            isEntered = true;
            isFedByCaller = composition.isCallers(from);
            ((SingleStage) from).leadsTo(this);
            for (PoolWorker worker : workers) {
                worker.queueAhead(head);
            }
        }
        return this::give;
    }

    @Override
    public PointConsumer exit(int thread) {
        composition.leaves(this);
        return port(thread);
    }

    /** Creates the merge of this pool's output for the consumer. */
    PoolMerge merge(PointConsumer taker, PointQueue.MarkConsumer marks) {
        if (merge != null) {
            throw new IllegalStateException("The pool of block " + name + " leads to two threads.");
        }
        merge = new PoolMerge(this, taker, marks);
        return merge;
    }

    /** Returns the producer end of a merge for a thread of the pool. */
    PointConsumer port(int thread) {
        PoolWorker worker = workers[thread];
        PointQueue queue = merge.queue(thread);
        return (point, partition) -> {
            while (!queue.offer(point, partition, worker.sequence())) {
                composition.waitForRoom(false);
            }
        };
    }

    @HotPath
    private void give(PointFlyweight point, int partition) {
        long sequence = given.get();
        int thread = threadFor(partition, sequence);
        waitForConsumer(sequence);
        while (!workers[thread].queue().offer(point, partition, sequence)) {
            composition.waitForRoom(isFedByCaller);
        }
        publish(thread, sequence);
    }

    private int threadFor(int partition, long sequence) {
        if (hasState) {
            return partition == BlockRunner.NO_PARTITION ? 0 : owners[partition];
        }
        return (int) (sequence % workers.length);
    }

    private void waitForConsumer(long sequence) {
        while (sequence >= roomUntil) {
            roomUntil = merge.next() + INPUTS_MAX;
            if (sequence >= roomUntil) {
                composition.waitForRoom(isFedByCaller);
            }
        }
    }

    private void publish(int thread, long sequence) {
        threads[(int) sequence & INPUTS_MAX - 1] = (byte) thread;
        given.lazySet(sequence + 1);
    }

    @Override
    public void giveMark(int kind, long value) {
        if (kind == END_OF_CYCLE) {
            endCycle(value);
        }
        for (int i = 0; i < workers.length; i++) {
            send(i, kind, 0, value);
        }
    }

    private void endCycle(long timeNs) {
        BitSet only = composition.ending();
        List<BlockRunner> blocks = workers[0].runners();
        for (int i = 0; i < blocks.size(); i++) {
            if (blocks.get(i).hasState()) {
                for (int p = opened.nextSetBit(0); p >= 0; p = opened.nextSetBit(p + 1)) {
                    if (only == null || only.get(p)) {
                        send(owners[p], PoolWorker.FIRST_BLOCK + i, p, timeNs);
                    }
                }
            } else if (only == null) {
                send(0, PoolWorker.FIRST_BLOCK + i, BlockRunner.NO_PARTITION, timeNs);
            }
        }
    }

    private void send(int thread, int kind, int partition, long value) {
        long sequence = given.get();
        waitForConsumer(sequence);
        while (!workers[thread].queue().offerMark(kind, partition, value, sequence)) {
            composition.waitForRoom(isFedByCaller);
        }
        publish(thread, sequence);
    }

    /** Sends a mark of the last thread to the consumer. */
    void forwardMark(int kind, long value, long sequence) {
        while (!merge.queue(workers.length - 1).offerMark(kind, 0, value, sequence)) {
            composition.waitForRoom(false);
        }
    }

    /** Returns the number of inputs given to the threads so far. Any thread. */
    long given() {
        return given.get();
    }

    /** Returns the thread of an input on the way. A consumer's thread, for inputs before {@link #given}. */
    int threadOf(long sequence) {
        return threads[(int) sequence & INPUTS_MAX - 1];
    }

    /** Returns whether a thread has given all output of an input. Any thread. */
    boolean isDone(int thread, long sequence) {
        return workers[thread].done() >= sequence;
    }

    /** Returns the use of the pool. Any thread. */
    PoolUse use() {
        int used = 0;
        for (PoolWorker worker : workers) {
            used += worker.queue().isEmpty() ? 0 : 1;
        }
        return new PoolUse(name, workers.length, used, Math.max(0, given.get() - merge.next()));
    }

    /**
     * {@inheritDoc} New owners take turns: the partitions of a shard are opened one after the other, and so are spread
     * over all threads.
     */
    @Override
    public void open(int partition) {
        if (!opened.get(partition)) {
            opened.set(partition);
            owners[partition] = nextOwner;
            nextOwner = (nextOwner + 1) % workers.length;
        }
        workers[owners[partition]].runners().forEach(runner -> runner.open(partition));
    }

    @Override
    public void forget(int partition) {
        opened.clear(partition);
        workers[owners[partition]].runners().forEach(runner -> runner.forget(partition));
    }

    @Override
    public void start(AgentThreads starter) {
        for (PoolWorker worker : workers) {
            starter.start(worker);
        }
    }

    @Override
    public long marksDone() {
        long done = Long.MAX_VALUE;
        for (PoolWorker worker : workers) {
            done = Math.min(done, worker.marksDone());
        }
        return done;
    }

    @Override
    public Throwable failure() {
        for (PoolWorker worker : workers) {
            if (worker.failure() != null) {
                return worker.failure();
            }
        }
        return null;
    }

    @Override
    public void close() {
        for (PoolWorker worker : workers) {
            worker.runners().forEach(BlockRunner::close);
        }
    }
}
