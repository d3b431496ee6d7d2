package io.chimera.apps.archive;

import io.chimera.common.agent.Clock;
import io.chimera.common.config.Durations;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/** Drives a store while its writer waits for it, and gives up after a time. The writer's thread, whose interrupt ends the waiting too. */
final class StoreDriver {
    private final IntSupplier work;
    private final Duration patience;
    private final String remedy;
    private final Clock clock;
    private final IdleStrategy idle =
            new BackoffIdleStrategy(10, 10, TimeUnit.MICROSECONDS.toNanos(20), TimeUnit.MILLISECONDS.toNanos(1));
    private String what = "";
    private long beganNs;

    /** Nothing is waited for any longer; says why. */
    static final class GaveUpException extends Exception {
        private static final long serialVersionUID = 1;

        private GaveUpException(String message) {
            super(message);
        }
    }

    /**
     * A driver that nobody waits for yet.
     *
     * @param work what is to be done meanwhile; 0 when there was nothing to do
     * @param patience with all that is waited for from {@link #begin} on
     * @param remedy beside seeing to the device; a sentence, or empty
     */
    StoreDriver(IntSupplier work, Duration patience, String remedy, Clock clock) {
        this.work = work;
        this.patience = patience;
        this.remedy = remedy;
        this.clock = clock;
    }

    /**
     * Begins to wait.
     *
     * @param waited for, as the beginning of a sentence
     */
    void begin(String waited) {
        what = waited;
        beganNs = clock.nanoTime();
    }

    /**
     * Does what is to be done once, before the caller looks again.
     *
     * @throws GaveUpException when the time is over, or the thread was interrupted
     */
    void turn() throws GaveUpException {
        int done = work.getAsInt();
        if (Thread.currentThread().isInterrupted()) {
            throw new GaveUpException("The node is being closed.");
        }
        if (clock.nanoTime() - beganNs > patience.toNanos()) {
            throw new GaveUpException(what + " not durable after " + Durations.format(patience)
                    + "; see what keeps the device busy." + (remedy.isEmpty() ? "" : " " + remedy));
        }
        idle.idle(done);
    }
}
