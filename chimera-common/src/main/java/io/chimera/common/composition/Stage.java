package io.chimera.common.composition;

import io.chimera.common.agent.AgentThreads;

/**
 * A queued block and its successors by direct edges, on one thread ({@link SingleStage}) or on a pool of threads
 * ({@link PooledStage}). Every thread of a stage has a runner for each block of the stage.
 */
interface Stage {
    /** Mark at the end of a cycle. */
    int END_OF_CYCLE = 1;

    /** Mark of a drain. */
    int PLAIN = 2;

    /** Returns the name of the queued block. */
    String name();

    /** Returns the number of threads. */
    int threads();

    /**
     * Adds a block to a thread; blocks are added from last to first.
     *
     * @param thread 0 to {@link #threads} - 1
     */
    void add(BlockRunner runner, int thread);

    /** Returns a block of a thread. */
    BlockRunner runner(String block, int thread);

    /**
     * Creates the queue before this stage, if absent, and returns the queue's producer end for a thread of another
     * stage.
     *
     * @param head name of the queued block
     */
    PointConsumer entry(String head, Stage from, int thread);

    /** Returns the consumer of a gate that leaves the composition on a thread of this stage. */
    PointConsumer exit(int thread);

    /** Sends a mark after all points; the thread that gives the points. */
    void giveMark(int kind, long value);

    /** Creates empty state for a partition. */
    void open(int partition);

    /** Drops the state of a partition. */
    void forget(int partition);

    void start(AgentThreads threads);

    /** Returns the number of marks that every thread of the stage has processed. Any thread. */
    long marksDone();

    /** Returns the fatal error of a thread, after a loss of points; null without an error. Any thread. */
    Throwable failure();

    /** Closes the blocks; any thread, after the end of the stage's threads. */
    void close();
}
