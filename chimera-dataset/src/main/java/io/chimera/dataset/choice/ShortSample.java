package io.chimera.dataset.choice;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.job.Split;
import io.chimera.dataset.plan.Advice;
import io.chimera.dataset.plan.Adviser;
import io.chimera.dataset.plan.DataSetExtent;
import io.chimera.dataset.plan.FailureRisk;
import io.chimera.dataset.plan.Measurements;
import io.chimera.dataset.plan.PlanInput;
import io.chimera.dataset.plan.Quantities;
import io.chimera.dataset.sample.FirstLook;
import io.chimera.dataset.sample.JobSampler;
import io.chimera.dataset.sample.SampleLimits;
import io.chimera.dataset.source.Retries;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Samples a job whose transfer is expected to take a minute or more. A sample of a shorter job would take a large part
 * of its time. A sample that fails leaves the decision to the measurements of the job. One thread.
 */
final class ShortSample implements MeasuredStrategies.FirstAdvice {
    /** Bounds of the sample: at most about a twentieth of the time of a job that is sampled. */
    private static final SampleLimits LIMITS = new SampleLimits(Duration.ofSeconds(3), 16L << 20, 150);

    /** Expected time from which a job is sampled. */
    private static final double SAMPLED_SECONDS = 60;

    private final AutoBasis basis;
    private final Clock clock;
    private final Retries.Pauses pauses;

    ShortSample(AutoBasis basis, Clock clock, Retries.Pauses pauses) {
        this.basis = basis;
        this.clock = clock;
        this.pauses = pauses;
    }

    @Override
    public Optional<Advice> advise(List<Split> splits, DataSetExtent extent, List<String> notes)
            throws InterruptedIOException {
        long startMs = clock.epochMs();
        long far = extent.bytes() - extent.copiedBytes();
        if (far == 0) {
            notes.add("All bytes have copies from earlier jobs, so nothing is read from the source.");
            return Optional.empty();
        }
        try {
            double seconds = new FirstLook(clock).seconds(basis.input().source(), splits.get(0), far);
            if (seconds < SAMPLED_SECONDS) {
                notes.add("The transfer may take only " + Quantities.duration(seconds)
                        + ", too short for a sample: the job begins with stream, and measures on.");
                return Optional.empty();
            }
            Measurements measured = new JobSampler(LIMITS, clock, pauses)
                    .sample(basis.input(), splits, basis.pipelines(), basis.settings(), basis.storage())
                    .started();
            Advice advice = new Adviser()
                    .advise(new PlanInput(
                            extent,
                            measured,
                            basis.rules().prices(),
                            basis.rules().limits().at(startMs),
                            FailureRisk.NONE,
                            basis.rules().keepCopies()));
            notes.addAll(advice.lines());
            return Optional.of(advice);
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            notes.add("The sample failed: " + e.getMessage() + ". The job begins with stream, and measures on.");
            return Optional.empty();
        }
    }
}
