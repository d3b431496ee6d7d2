package io.chimera.dataset.source;

import io.chimera.common.agent.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Runs an attempt again after a retryable {@link SourceFault}: a bounded number of attempts within a bounded time, with
 * exponential backoff and full jitter between the attempts. A pause that the source asks for comes before the backoff.
 * Any thread, if the generator and the pauses are safe for any thread.
 */
public final class Retries {
    private static final int DOUBLED_MAX = 30;

    private final Limits limits;
    private final Clock clock;
    private final RandomGenerator random;
    private final Pauses pauses;

    /**
     * Bounds of the attempts.
     *
     * @param attemptsMax maximum number of attempts, at least 1
     * @param pauseFirst maximum pause after the first attempt; doubles with every further attempt
     * @param pauseMax maximum pause of the backoff
     * @param timeMax time from the first attempt after which no attempt begins
     */
    public record Limits(int attemptsMax, Duration pauseFirst, Duration pauseMax, Duration timeMax) {
        /** Six attempts within ten minutes, with pauses of at most 0.2, 0.4, 0.8, 1.6 and 3.2 s. */
        public static final Limits DEFAULT =
                new Limits(6, Duration.ofMillis(200), Duration.ofSeconds(10), Duration.ofMinutes(10));

        /**
         * Checks the values.
         *
         * @param attemptsMax at least 1
         * @param pauseFirst more than 0
         * @param pauseMax at least {@code pauseFirst}
         * @param timeMax more than 0
         */
        public Limits {
            if (attemptsMax < 1
                    || pauseFirst.compareTo(Duration.ZERO) <= 0
                    || pauseMax.compareTo(pauseFirst) < 0
                    || timeMax.compareTo(Duration.ZERO) <= 0) {
                throw new IllegalArgumentException(
                        "limits of retries: " + attemptsMax + " attempts, pauses " + pauseFirst
                                + " to " + pauseMax + ", within " + timeMax
                                + "; expected at least one attempt and ascending times above 0");
            }
        }
    }

    /**
     * One attempt.
     *
     * @param <T> result
     */
    @FunctionalInterface
    public interface Attempt<T> {
        /**
         * Runs the attempt.
         *
         * @return the result
         * @throws SourceException when the attempt fails
         */
        T run() throws SourceException;
    }

    /**
     * One attempt of anything that fails with an exception of its own.
     *
     * @param <T> result
     * @param <E> failure
     */
    @FunctionalInterface
    public interface Call<T, E extends Exception> {
        /**
         * Runs the attempt.
         *
         * @return the result
         * @throws E when the attempt fails
         */
        T run() throws E;
    }

    /**
     * Decides about the failure of an attempt.
     *
     * @param <E> failure
     */
    @FunctionalInterface
    public interface Verdict<E> {
        /** Returns the pause that the failure asks for, zero without one; empty when no further attempt may succeed. */
        Optional<Duration> pauseBeforeRetry(E failure);
    }

    /** Waits between attempts; a test records the pauses and advances its clock. */
    @FunctionalInterface
    public interface Pauses {
        /**
         * Waits.
         *
         * @param pause time to wait, at least 0
         * @throws InterruptedException when the thread is interrupted
         */
        void pause(Duration pause) throws InterruptedException;
    }

    /**
     * Creates a rule for retries.
     *
     * @param limits bounds of the attempts
     * @param clock measures the time since the first attempt
     * @param random draws the jitter
     * @param pauses waits between attempts
     */
    public Retries(Limits limits, Clock clock, RandomGenerator random, Pauses pauses) {
        this.limits = limits;
        this.clock = clock;
        this.random = random;
        this.pauses = pauses;
    }

    /**
     * Runs an attempt until one succeeds.
     *
     * @param <T> result
     * @param attempt the attempt; may run several times
     * @return result of the first success
     * @throws SourceException the fault of the last attempt: not retryable, or attempts or time used up
     * @throws InterruptedException when the thread is interrupted during a pause, or was interrupted when an attempt
     *     failed
     */
    public <T> T run(Attempt<T> attempt) throws SourceException, InterruptedException {
        return run(
                attempt::run,
                SourceException.class,
                failure -> failure.fault().isRetryable() ? Optional.of(failure.retryAfter()) : Optional.empty());
    }

    /**
     * Runs a call until it succeeds.
     *
     * @param <T> result
     * @param <E> failure
     * @param call the call; may run several times
     * @param failure type of the failure
     * @param verdict decides about each failure
     * @return result of the first success
     * @throws E the last failure: final, or attempts or time used up
     * @throws InterruptedException when the thread is interrupted during a pause, or was interrupted when a call failed
     */
    public <T, E extends Exception> T run(Call<T, E> call, Class<E> failure, Verdict<E> verdict)
            throws E, InterruptedException {
        long startNs = clock.nanoTime();
        for (int attempts = 1; ; attempts++) {
            try {
                return call.run();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                E failed = failure.cast(e);
                if (Thread.interrupted()) {
                    throw interruption(failed);
                }
                Optional<Duration> wished = verdict.pauseBeforeRetry(failed);
                if (wished.isEmpty() || attempts >= limits.attemptsMax()) {
                    throw failed;
                }
                Duration pause = wished.get().plus(backoff(attempts));
                Duration used = Duration.ofNanos(clock.nanoTime() - startNs);
                if (used.plus(pause).compareTo(limits.timeMax()) > 0) {
                    throw failed;
                }
                pauses.pause(pause);
            }
        }
    }

    private static InterruptedException interruption(Exception fault) {
        InterruptedException interruption = new InterruptedException("interrupted after a failed attempt");
        interruption.addSuppressed(fault);
        return interruption;
    }

    private Duration backoff(int attempts) {
        int doublings = Math.min(DOUBLED_MAX, attempts - 1);
        long limitNs = Math.min(
                limits.pauseMax().toNanos(), saturatedShift(limits.pauseFirst().toNanos(), doublings));
        return Duration.ofNanos(random.nextLong(limitNs + 1));
    }

    private static long saturatedShift(long value, int shift) {
        return value > Long.MAX_VALUE >> shift ? Long.MAX_VALUE - 1 : value << shift;
    }
}
