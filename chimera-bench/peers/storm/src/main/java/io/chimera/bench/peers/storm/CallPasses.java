package io.chimera.bench.peers.storm;

import io.chimera.bench.peers.job.Job;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/** How the main thread and the executors of the topology tell each other of begin and end: they share a process. */
final class CallPasses {
    /** The spout, the cloner and the detectors. */
    private static final CountDownLatch READY = new CountDownLatch(2 + Job.PARALLELISM);

    private static final Semaphore ENDED = new Semaphore(0);
    private static volatile int begun;

    private CallPasses() {}

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
        ENDED.acquire(Job.PARALLELISM);
    }
}
