package io.chimera.bench.peers.storm;

import io.chimera.bench.peers.job.Job;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/** How the main thread and the executors of a topology tell each other of begin and end: they share a process. */
enum Passes {
    /** As many spouts as bolts. */
    POINTS(2 * Job.PARALLELISM, Job.PARALLELISM),
    /** The spout, the finders and the counter, who says that it ended. */
    TWEETS(1 + TweetStormPeer.FINDERS + 1, 1),
    /** The spout, the cloner and the detectors, who say that they ended. */
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

    @SuppressWarnings("NonAtomicOperationOnVolatileField") // the main thread alone writes it
    void begin() {
        begun++;
    }

    /** Number of the pass that spouts shall be in; 0 before the first. */
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
