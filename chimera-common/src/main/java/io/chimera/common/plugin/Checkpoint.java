package io.chimera.common.plugin;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where a plugin's code can be stopped. {@link Checkpoints} puts a call of {@link #pass} ahead of every jump backwards in the
 * classes of a plugin, so that a loop without end is left by an error. Public because plugins' classes call it. Any thread.
 */
public final class Checkpoint {
    private static final Set<Thread> STOPPED = ConcurrentHashMap.newKeySet();

    /** Number of the threads to be stopped: as long as it is 0, which is nearly always, a pass costs one read. */
    private static volatile int stopped;

    private Checkpoint() {}

    /** Goes on, unless the thread is to be stopped. */
    public static void pass() {
        if (stopped != 0) {
            stopIfAsked();
        }
    }

    private static void stopIfAsked() {
        if (STOPPED.contains(Thread.currentThread())) {
            throw new Stopped();
        }
    }

    static synchronized void stop(Thread thread) {
        STOPPED.add(thread);
        stopped = STOPPED.size();
    }

    static synchronized void release(Thread thread) {
        STOPPED.remove(thread);
        stopped = STOPPED.size();
    }

    /** Ends a loop. An error, as a plugin that goes on after any exception is to be stopped too. */
    static final class Stopped extends Error {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("stopped, because it did not return in time");
        }
    }
}
