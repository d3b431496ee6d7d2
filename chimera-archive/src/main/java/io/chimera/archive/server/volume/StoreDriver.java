package io.chimera.archive.server.volume;

import io.chimera.common.agent.Clock;
import io.chimera.common.config.binding.Durations;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * Drives a store while its writer waits for durability, with a time limit. Writer's thread; an interrupt ends the wait.
 */
public final class StoreDriver {
    private final IntSupplier work;
    private final Duration patience;
    private final String remedy;
    private final Clock clock;
    private final IdleStrategy idle =
            new BackoffIdleStrategy(10, 10, TimeUnit.MICROSECONDS.toNanos(20), TimeUnit.MILLISECONDS.toNanos(1));
    private String what = "";
    private long beganNs;

    /** The wait ended without success; the message names the reason. */
    public static final class GaveUpException extends Exception {
        private static final long serialVersionUID = 1;

        private GaveUpException(String message) {
            super(message);
        }
    }

    /**
     * Creates a driver.
     *
     * @param work work of the store during the wait; returns 0 when idle
     * @param patience time limit from {@link #begin} on
     * @param remedy second remedy for the error message, as a sentence; may be empty
     */
    public StoreDriver(IntSupplier work, Duration patience, String remedy, Clock clock) {
        this.work = work;
        this.patience = patience;
        this.remedy = remedy;
        this.clock = clock;
    }

    /**
     * Starts the time limit.
     *
     * @param waited begin of the error message: the awaited thing and its verb
     */
    public void begin(String waited) {
        what = waited;
        beganNs = clock.nanoTime();
    }

    /**
     * Does the store's work once, before the caller checks its condition again.
     *
     * @throws GaveUpException when the time is over or the thread was interrupted
     */
    public void turn() throws GaveUpException {
        int done = work.getAsInt();
        if (Thread.currentThread().isInterrupted()) {
            throw new GaveUpException("The node is stopping.");
        }
        if (clock.nanoTime() - beganNs > patience.toNanos()) {
            throw new GaveUpException(what + " not durable after " + Durations.format(patience)
                    + "; check the load of the device." + (remedy.isEmpty() ? "" : " " + remedy));
        }
        idle.idle(done);
    }
}
