package io.chimera.common.plugin;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Point where a plugin's code can be stopped. {@link Checkpoints} inserts a call of {@link #pass} before every backward
 * jump in the classes of a plugin, so an error can end an infinite loop. Public because the plugin classes call it. Any
 * thread.
 */
public final class Checkpoint {
    private static final Set<Thread> STOPPED = ConcurrentHashMap.newKeySet();

    /** Number of threads to stop. Nearly always 0; a pass then costs one volatile read. */
    private static volatile int stopped;

    private Checkpoint() {}

    /** Returns normally, unless the current thread must stop. */
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

    /** Ends a loop. An error, because plugins may catch and ignore exceptions. */
    static final class Stopped extends Error {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("stopped after the call timeout");
        }
    }
}
