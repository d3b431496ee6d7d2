package io.chimera.dataset.sample;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.plan.ComputationSample;
import io.chimera.dataset.source.Retries;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;

/** Measures the rate of a running computation, with all cores at work. One thread. */
final class ComputationProbe {
    /** Time for the compiler of the Java machine; computation speeds up meanwhile. */
    private static final Duration WARM_UP = Duration.ofMillis(700);

    private static final Duration MEASURED = Duration.ofMillis(500);

    private final Clock clock;
    private final Retries.Pauses pauses;
    private double warmUpSeconds;

    /**
     * Creates a probe.
     *
     * @param clock time of the measurement
     * @param pauses waits while the computation runs
     */
    ComputationProbe(Clock clock, Retries.Pauses pauses) {
        this.clock = clock;
        this.pauses = pauses;
    }

    /**
     * Measures a computation that was started before.
     *
     * @param load the computation
     * @param timeMax time for the measurement; half of it at most is used
     * @return events per second and core
     * @throws IOException when the computation fails, or computes nothing in the time
     */
    ComputationSample measure(CoreLoad load, Duration timeMax) throws IOException {
        long coldNs = clock.nanoTime();
        long coldEvents = load.events();
        pause(least(WARM_UP, timeMax.dividedBy(4)));
        load.check();
        long startNs = clock.nanoTime();
        long before = load.events();
        pause(least(MEASURED, timeMax.dividedBy(4)));
        load.check();
        double events = load.events() - before;
        double seconds = (clock.nanoTime() - startNs) / 1e9;
        if (events <= 0 || seconds <= 0) {
            throw new IOException("the computation of the sample read no event within " + MEASURED.toMillis()
                    + " ms; check the format of the job");
        }
        warmUpSeconds = Math.max(0, (startNs - coldNs) / 1e9 - (before - coldEvents) * seconds / events);
        return new ComputationSample(events / seconds / load.cores(), load.bytesPerEvent());
    }

    /**
     * Returns the time that each core lost before the measured rate was reached: the time of the warm-up without the
     * time that its events take at the measured rate. 0 before a measurement.
     */
    double warmUpSeconds() {
        return warmUpSeconds;
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private void pause(Duration duration) throws IOException {
        try {
            pauses.pause(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the computation was sampled");
        }
    }
}
