package io.chimera.bench.peers.storm;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/** How the main thread and the executors of the topology tell each other of begin and end: they share a process. */
final class TweetPasses {
    /** The spout, the finders and the counter. */
    private static final CountDownLatch READY = new CountDownLatch(1 + TweetStormPeer.FINDERS + 1);

    private static final Semaphore ENDED = new Semaphore(0);
    private static volatile int begun;

    private TweetPasses() {}

    static void executorIsReady() {
        READY.countDown();
    }

    static void awaitReady() throws InterruptedException {
        READY.await();
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField") // the main thread alone writes it
    static void begin() {
        begun++;
    }

    /** Number of the pass that the spout shall be in; 0 before the first. */
    static int begun() {
        return begun;
    }

    static void hasEnded() {
        ENDED.release();
    }

    static void awaitEnd() throws InterruptedException {
        ENDED.acquire();
    }
}
