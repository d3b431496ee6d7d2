package io.chimera.bench.peers.storm;

import io.chimera.bench.peers.job.Job;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/**
 * Coordinates the start and end of passes between the main thread and the executors of a topology, which share a
 * process.
 */
enum Passes {
    /** Spouts and the same number of bolts. */
    POINTS(2 * Job.PARALLELISM, Job.PARALLELISM),
    /** The spout, the finders and the counter; the counter reports the end. */
    TWEETS(1 + TweetStormPeer.FINDERS + 1, 1),
    /** The spout, the cloner and the detectors; the detectors report the end. */
    CALLS(2 + Job.PARALLELISM, Job.PARALLELISM);

    private final CountDownLatch ready;
    private final int enders;
    private final Semaphore ended = new Semaphore(0);
    private volatile int begun;

    Passes(int executors, int enders) {
        ready = new CountDownLatch(executors);
        this.enders = enders;
    }

    void executorIsReady() {
        ready.countDown();
    }

    void awaitReady() throws InterruptedException {
        ready.await();
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField") // written by the main thread only
    void begin() {
        begun++;
    }

    /** Returns the number of the current pass; 0 before the first pass. */
    int begun() {
        return begun;
    }

    void hasEnded() {
        ended.release();
    }

    void awaitEnd() throws InterruptedException {
        ended.acquire(enders);
    }
}
