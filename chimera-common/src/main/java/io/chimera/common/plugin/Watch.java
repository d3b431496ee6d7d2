package io.chimera.common.plugin;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Watches the calls of one plugin instance. The caller brackets each call with {@link #enter} and {@link #exit}, at a
 * cost of a few nanoseconds and without a clock. Used by one calling thread at a time, and by the watchdog.
 *
 * <p>The state is a counter of the caller: even outside of the plugin, odd inside. If the watchdog sees the same odd
 * number for too long, it sets {@link #STOPPING}, interrupts the thread, then sets {@link #STOPPED}. The caller waits
 * for {@link #STOPPED} after the return from the plugin, so the interrupt never hits later code.
 */
public final class Watch implements AutoCloseable {
    private static final int STOPPING = -1;
    private static final int STOPPED = -2;

    private final PluginGuard fence;
    private final Watchdog watchdog;
    private final AtomicInteger state = new AtomicInteger();
    private int inside = -1;
    private String call;
    private Thread thread;

    // fields of the watchdog
    private int seen;
    private long seenNs;
    private boolean isTold;

    Watch(PluginGuard fence, Watchdog watchdog) {
        this.fence = fence;
        this.watchdog = watchdog;
        watchdog.add(this);
    }

    /**
     * Marks the begin of a call.
     *
     * @param newCall name of the call; a constant
     */
    @HotPath
    public void enter(String newCall) {
        call = newCall;
        thread = Thread.currentThread();
        inside += 2;
        if (inside < 0) {
            inside = 1;
        }
        state.setRelease(inside);
    }

    /**
     * Marks the end of a call, normal or exceptional.
     *
     * @param thrown exception of the plugin; null after a normal return
     * @throws PluginFailure if the plugin threw, or was stopped
     */
    @HotPath
    public void exit(Throwable thrown) {
        boolean isStopped = !state.compareAndSet(inside, inside + 1);
        if (isStopped || thrown != null) {
            failed(thrown, isStopped);
        }
    }

    @ColdPath
    private void failed(Throwable thrown, boolean isStopped) {
        if (isStopped) {
            awaitStopped();
            fence.stuck(null);
        }
        if (thrown instanceof PluginFailure inner) {
            throw inner; // from a nested plugin, called by emitting a point; already reported
        }
        if (thrown == null && isStopped) {
            throw fence.failed(call, new Checkpoint.Stopped());
        }
        throw fence.failed(call, thrown);
    }

    private void awaitStopped() {
        while (!state.compareAndSet(STOPPED, inside + 1)) {
            Thread.onSpinWait();
        }
        Checkpoint.release(thread);
        Thread.interrupted(); // clears the interrupt of the plugin call
    }

    /** Checks the duration of the current call; called by the watchdog thread. */
    void look(long nowNs, long timeoutNs) {
        int now = state.getAcquire();
        if (now == STOPPED) {
            stopAgain(nowNs, timeoutNs);
        } else if (now != seen) {
            seen = now;
            seenNs = nowNs;
            isTold = false;
        } else if ((now & 1) == 1 && nowNs - seenNs > timeoutNs) {
            stop(now);
        }
    }

    private void stop(int now) {
        StackTraceElement[] stack = thread.getStackTrace();
        if (!watchdog.isToBlame(this, stack) || !state.compareAndSet(now, STOPPING)) {
            return;
        }
        Checkpoint.stop(thread);
        fence.stopping(call, thread, stack);
        thread.interrupt();
        state.set(STOPPED);
    }

    /** Repeats the interrupt, because the plugin may have ignored an earlier interrupt and blocked again. */
    private void stopAgain(long nowNs, long timeoutNs) {
        if (state.compareAndSet(STOPPED, STOPPING)) {
            thread.interrupt();
            state.set(STOPPED);
        }
        if (!isTold && nowNs - seenNs > 3 * timeoutNs) {
            isTold = true;
            fence.unstoppable(call, thread);
        }
    }

    /** Returns whether a thread is currently inside the plugin. */
    boolean isInside(Thread other) {
        int now = state.get();
        return (now < 0 || (now & 1) == 1) && thread == other;
    }

    Thread thread() {
        return thread;
    }

    PluginGuard fence() {
        return fence;
    }

    /** Ends the watch; the instance is no longer called. */
    @Override
    public void close() {
        watchdog.remove(this);
    }
}
