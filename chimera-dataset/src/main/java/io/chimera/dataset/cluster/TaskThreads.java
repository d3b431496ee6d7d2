package io.chimera.dataset.cluster;

import java.util.concurrent.Callable;
import java.util.concurrent.Future;

/** Threads for blocking work; a simulation runs the work at times of its own. */
public interface TaskThreads {
    /**
     * Starts work.
     *
     * @param <T> result
     * @param work the work; always runs, also after a cancellation
     * @return the result, once it is there
     */
    <T> Future<T> submit(Callable<T> work);
}
