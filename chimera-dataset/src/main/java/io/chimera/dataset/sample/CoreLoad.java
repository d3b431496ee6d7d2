package io.chimera.dataset.sample;

import java.io.IOException;

/** The computation of a job, repeated on all its cores until it is stopped. */
interface CoreLoad {
    /** Starts the threads; returns at once. */
    void start();

    /** Returns the number of events computed so far by all cores. */
    long events();

    /**
     * Checks that the computation runs.
     *
     * @throws IOException when a thread failed
     */
    void check() throws IOException;

    /** Returns the number of cores. */
    int cores();

    /** Returns the mean length of an event in bytes as stored at the source. */
    double bytesPerEvent();

    /** Stops the threads, and waits for their end. */
    void stop();
}
