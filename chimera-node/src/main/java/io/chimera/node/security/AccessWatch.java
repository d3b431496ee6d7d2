package io.chimera.node.security;

import io.chimera.common.access.AccessControl;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the token file for changes every second, on its own thread. */
public final class AccessWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AccessWatch.class);
    private static final long LOOK_MS = 1_000;

    private final AccessControl access;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "tokens");
        made.setDaemon(true);
        return made;
    });

    /** Starts the checks if a token file is configured. */
    @SuppressWarnings("FutureReturnValueIgnored") // checks until close
    public AccessWatch(AccessControl access) {
        this.access = access;
        if (access.isConfigured()) {
            thread.scheduleWithFixedDelay(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void look() {
        try {
            access.refresh();
        } catch (RuntimeException e) {
            LOG.error("Internal error: cannot check the token file for changes.", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
