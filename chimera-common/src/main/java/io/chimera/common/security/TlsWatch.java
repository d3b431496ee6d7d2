package io.chimera.common.security;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;

/** Reloads certificates at their intervals, on one thread of its own. */
public final class TlsWatch implements AutoCloseable {
    private final ErrorHandler errors;
    private final ScheduledThreadPoolExecutor thread;

    /**
     * A watch over nothing.
     *
     * @param nodeName goes into the name of the thread
     * @param errors hears of defects
     */
    public TlsWatch(String nodeName, ErrorHandler errors) {
        this.errors = errors;
        thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, nodeName + "-tls");
            made.setDaemon(true);
            return made;
        });
    }

    /** Reloads certificates from now on. */
    public Tls add(Tls tls) {
        long periodMs = tls.config().reload().toMillis();
        var unused = thread.scheduleWithFixedDelay(() -> reload(tls), periodMs, periodMs, TimeUnit.MILLISECONDS);
        return tls;
    }

    private void reload(Tls tls) {
        try {
            tls.reload();
        } catch (RuntimeException e) {
            errors.onError(e); // the next interval tries again
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
