package io.chimera.dataset.plan;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Chooses the strategy of a job while the job runs, from what the job measures of itself: no byte is read for a sample.
 *
 * <p>The first advice follows when each core has computed a split on average, and a review by the {@link Adviser} each
 * time that as many splits are done again.
 *
 * <p>The job starts with the strategy that the measurements before the run advise, and with {@link Strategy#STREAM}
 * otherwise. Stream is the safe start where the workers receive and copy on the same machines: in the model of {@link
 * PerformanceModel} it is then never slower than the other strategies, because computation can take at most the whole
 * reception, and a copy takes transfer and computation one after the other.
 *
 * <p>A rate of reception counts only while the cores wait for bytes: otherwise the computation limits what is asked
 * for. Nor does it count while copies are written without a pause: then the storage is the limit. One thread.
 */
public final class AutoStrategy {
    /** Share of waiting from which the source, and not the computation, sets the rate of reception. */
    private static final double WAITING = 0.2;

    /** Share of the time from which writing, and not the source, sets the rate of reception. */
    private static final double FULL = 0.8;

    private final Basis basis;
    private final Adviser adviser;
    private Optional<Advice> advice;
    private RunTotals reviewed = RunTotals.NONE;
    private long changedAtSplits;

    /**
     * Facts about a job before its first split.
     *
     * @param place address of the source without credentials, for reasons
     * @param extent amount of data
     * @param nodes nodes of the job
     * @param storage storage of the copies
     * @param prices prices
     * @param limits limits from the start of the run
     * @param keepCopies time that copies are kept after the job
     */
    public record Basis(
            String place,
            DataSetExtent extent,
            NodeCounts nodes,
            StorageSample storage,
            Prices prices,
            JobLimits limits,
            Duration keepCopies) {}

    /**
     * Starts a job.
     *
     * @param basis facts about the job
     * @param first advice of samples before the run, if there are some
     * @param adviser reviews the choice
     */
    public AutoStrategy(Basis basis, Optional<Advice> first, Adviser adviser) {
        this.basis = basis;
        this.adviser = adviser;
        advice = first;
    }

    /** Returns the last advice; empty before the first one. */
    public Optional<Advice> advice() {
        return advice;
    }

    /**
     * Returns the strategy of the next split.
     *
     * @param totals measurements of the run so far
     */
    public Strategy next(RunTotals totals) {
        RunTotals latest = totals.since(reviewed);
        boolean isDue = latest.splits() >= cores()
                && totals.computedBytes() < basis.extent().bytes();
        if (isDue && latest.computingSeconds() > 0 && latest.receivedBytes() + totals.copiedBytes() > 0) {
            review(totals, latest);
            reviewed = totals;
        }
        return advice.map(Advice::choice).orElse(Strategy.STREAM);
    }

    private int cores() {
        return basis.nodes().workers() * basis.nodes().coresPerNode();
    }

    private void review(RunTotals totals, RunTotals latest) {
        if (advice.isEmpty()) {
            advice = Optional.of(firstAdvice(latest));
        }
        Advice before = advice.orElseThrow();
        Advice next = adviser.reconsider(before, progress(totals, latest));
        if (next.choice() != before.choice()) {
            changedAtSplits = totals.splits();
        }
        advice = Optional.of(next);
    }

    /** Returns advice for the whole job as if the strategy of the first splits were planned. */
    private Advice firstAdvice(RunTotals latest) {
        PlanInput input = new PlanInput(
                basis.extent(), measured(latest), basis.prices(), basis.limits(), FailureRisk.NONE, basis.keepCopies());
        Advice planned = adviser.advise(input);
        return new Advice(input, Corrections.NONE, planned.predictions(), Strategy.STREAM, planned.reasons(), 0, 0);
    }

    private Measurements measured(RunTotals latest) {
        double events = Math.max(1, latest.events());
        double computing = latest.computingPerCore() * cores();
        double reception = latest.receivingSeconds() > 0 ? latest.reception() : computing;
        double rate = latest.waitingShare() > WAITING ? reception : Math.max(reception, computing);
        return new Measurements(
                List.of(new SourceSample(
                        basis.place(),
                        Duration.ZERO,
                        List.of(new ConnectionRate(1, rate)),
                        OptionalDouble.empty(),
                        OptionalDouble.empty())),
                new ComputationSample(events / latest.computingSeconds(), latest.computedBytes() / events),
                basis.storage(),
                basis.nodes(),
                OptionalDouble.empty(),
                OptionalDouble.empty());
    }

    private MeasuredProgress progress(RunTotals totals, RunTotals latest) {
        double seconds = totals.elapsedSeconds() - reviewed.elapsedSeconds();
        boolean isStorageSlow = latest.writingSeconds() > FULL * seconds;
        boolean isSourceSlow = latest.waitingShare() > WAITING && latest.receivingSeconds() > 0 && !isStorageSlow;
        boolean isWriting = latest.writtenBytes() > 0 && latest.writingSeconds() > 0;
        return new MeasuredProgress(
                totals.computedBytes(),
                totals.copiedBytes(),
                totals.elapsedSeconds(),
                totals.spent(),
                totals.splits() - changedAtSplits,
                isSourceSlow ? OptionalDouble.of(latest.reception()) : OptionalDouble.empty(),
                OptionalDouble.of(latest.computingPerCore()),
                isWriting ? OptionalDouble.of(latest.writtenBytes() / latest.writingSeconds()) : OptionalDouble.empty(),
                OptionalDouble.empty());
    }
}
