package io.chimera.common.plugin;

import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Checks all watches several times per call_timeout, on a daemon thread. The first watch starts the thread. */
final class Watchdog implements AutoCloseable {
    /** Number of checks per call_timeout: a call is stopped after 1 to 1 1/8 times call_timeout. */
    private static final int LOOKS_PER_TIMEOUT = 8;

    private final Clock clock;
    private final long timeoutNs;
    private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
    private Thread thread;

    Watchdog(Clock clock, long timeoutNs) {
        this.clock = clock;
        this.timeoutNs = timeoutNs;
    }

    void add(Watch watch) {
        watches.add(watch);
        start();
    }

    void remove(Watch watch) {
        watches.remove(watch);
    }

    private synchronized void start() {
        if (thread == null) {
            thread = new Thread(this::run, "plugin-watchdog");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void run() {
        try {
            while (true) {
                AgentThreads.sleep(Duration.ofNanos(timeoutNs / LOOKS_PER_TIMEOUT));
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    /** Checks all watches once. */
    void look() {
        long nowNs = clock.nanoTime();
        for (Watch watch : watches) {
            watch.look(nowNs, timeoutNs);
        }
    }

    /**
     * Returns whether this plugin causes the delay. A plugin that emits a point calls the next plugin and waits for its
     * return; the innermost plugin frame of the stack identifies the cause.
     */
    boolean isToBlame(Watch watch, StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            String loader = frame.getClassLoaderName();
            if (loader != null && loader.startsWith(PluginClassLoader.NAME_PREFIX)) {
                String inner = loader.substring(PluginClassLoader.NAME_PREFIX.length());
                String outer = watch.fence().plugin().origin().name();
                return inner.equals(outer)
                        || watches.stream()
                                .noneMatch(other -> other.isInside(watch.thread())
                                        && other.fence()
                                                .plugin()
                                                .origin()
                                                .name()
                                                .equals(inner));
            }
        }
        return true;
    }

    @Override
    public synchronized void close() {
        if (thread != null) {
            thread.interrupt();
        }
    }
}
