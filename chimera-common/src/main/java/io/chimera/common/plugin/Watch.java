package io.chimera.common.plugin;

import io.chimera.api.HotPath;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Watches the calls of one instance of a plugin. Whoever calls the instance brackets each call with {@link #enter} and {@link
 * #exit}; that costs a few nanoseconds, and no clock. One thread at a time, and the watchdog's.
 *
 * <p>The state is a number that the caller counts up: even outside of the plugin, odd inside. The watchdog, which sees the same
 * odd number for too long, puts {@link #STOPPING} there, interrupts the thread, then puts {@link #STOPPED} there; the caller,
 * back from the plugin, waits for that, so that no interrupt hits what comes after.
 */
public final class Watch implements AutoCloseable {
    private static final int STOPPING = -1;
    private static final int STOPPED = -2;

    private final Fence fence;
    private final Watchdog watchdog;
    private final AtomicInteger state = new AtomicInteger();
    private int inside = -1;
    private String call;
    private Thread thread;

    // the watchdog's
    private int seen;
    private long seenNs;
    private boolean isTold;

    Watch(Fence fence, Watchdog watchdog) {
        this.fence = fence;
        this.watchdog = watchdog;
        watchdog.add(this);
    }

    /**
     * Before a call.
     *
     * @param newCall which one; a constant
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
     * After a call, however it ended.
     *
     * @param thrown by the plugin; null when it returned
     * @throws PluginFailure when it threw, or was stopped
     */
    @HotPath
    public void exit(Throwable thrown) {
        boolean isStopped = !state.compareAndSet(inside, inside + 1);
        if (isStopped || thrown != null) {
            failed(thrown, isStopped);
        }
    }

    private void failed(Throwable thrown, boolean isStopped) {
        if (isStopped) {
            awaitStopped();
            fence.stuck(null);
        }
        if (thrown instanceof PluginFailure inner) {
            throw inner; // of a plugin that this one called by emitting a point: told already
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
        Thread.interrupted(); // it was meant for the plugin
    }

    /** Looks whether a call takes too long; the watchdog's thread. */
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

    /** A plugin may have swallowed the interrupt and wait again. */
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

    /** Whether a thread is inside of the plugin now. */
    boolean isInside(Thread other) {
        int now = state.get();
        return (now < 0 || (now & 1) == 1) && thread == other;
    }

    Thread thread() {
        return thread;
    }

    Fence fence() {
        return fence;
    }

    /** The instance is not called any more. */
    @Override
    public void close() {
        watchdog.remove(this);
    }
}
