package io.chimera.common.security;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;

/** Reloads certificates at their poll intervals, on its own thread. */
public final class TlsWatch implements AutoCloseable {
    private final ErrorHandler errors;
    private final ScheduledThreadPoolExecutor thread;

    /**
     * Creates a watch without certificates.
     *
     * @param nodeName prefix of the thread name
     * @param errors handler of defects
     */
    public TlsWatch(String nodeName, ErrorHandler errors) {
        this.errors = errors;
        thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, nodeName + "-tls");
            made.setDaemon(true);
            return made;
        });
    }

    /** Adds certificates to the watch. */
    public Tls add(Tls tls) {
        long periodMs = tls.config().reload().toMillis();
        var unused = thread.scheduleWithFixedDelay(() -> reload(tls), periodMs, periodMs, TimeUnit.MILLISECONDS);
        return tls;
    }

    private void reload(Tls tls) {
        try {
            tls.reload();
        } catch (RuntimeException e) {
            errors.onError(e); // retried at the next interval
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
