package io.chimera.dataset.choice;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.job.JobProgress;
import io.chimera.dataset.job.Split;
import io.chimera.dataset.job.SplitStrategies;
import io.chimera.dataset.meter.WorkMeasures;
import io.chimera.dataset.plan.Advice;
import io.chimera.dataset.plan.Adviser;
import io.chimera.dataset.plan.AutoStrategy;
import io.chimera.dataset.plan.DataSetExtent;
import io.chimera.dataset.plan.Reason;
import io.chimera.dataset.plan.ReasonCode;
import io.chimera.dataset.plan.RunTotals;
import io.chimera.dataset.plan.StorageSample;
import io.chimera.dataset.plan.Strategy;
import io.chimera.dataset.sample.JobSampler;
import io.chimera.dataset.source.Retries;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Chooses the strategy of a job of one process by measurements: of a sample before the computation, see {@link
 * ShortSample}, and of the job itself at each border of splits, see {@link AutoStrategy}. The bytes of the sample count
 * as received, and not as progress. Any thread.
 */
public final class MeasuredStrategies implements SplitStrategies {
    private static final double NS_PER_SECOND = 1e9;

    private final AutoBasis basis;
    private final Clock clock;
    private final FirstAdvice firstAdvice;

    /** Bytes with a copy by split, for splits that are not computed. */
    private final Map<Integer, Long> copied = new HashMap<>();

    private long copiedBytes;
    private final List<Split> splits = new ArrayList<>();
    private Optional<Run> run = Optional.empty();

    /** Advises before the computation. */
    @FunctionalInterface
    interface FirstAdvice {
        /**
         * Advises.
         *
         * @param splits splits to compute
         * @param extent their amount of data
         * @param notes receives sentences about the advice
         * @return empty if the job begins without advice
         * @throws InterruptedIOException when the thread is interrupted
         */
        Optional<Advice> advise(List<Split> splits, DataSetExtent extent, List<String> notes)
                throws InterruptedIOException;
    }

    /** The computation after the sample. */
    private static final class Run {
        private final AutoStrategy auto;
        private final JobProgress progress;
        private final long startNs;
        private final long bytes;
        private final WorkMeasures.Moved before;
        private Strategy running;

        Run(AutoStrategy auto, JobProgress progress, long startNs, long bytes, Strategy running) {
            this.auto = auto;
            this.progress = progress;
            this.startNs = startNs;
            this.bytes = bytes;
            this.running = running;
            before = progress.meters().measures().received();
        }
    }

    /**
     * Prepares the choice.
     *
     * @param basis the job
     * @param clock time of the job
     * @param pauses waits while the computation is sampled
     */
    public MeasuredStrategies(AutoBasis basis, Clock clock, Retries.Pauses pauses) {
        this(basis, clock, new ShortSample(basis, clock, pauses));
    }

    MeasuredStrategies(AutoBasis basis, Clock clock, FirstAdvice firstAdvice) {
        this.basis = basis;
        this.clock = clock;
        this.firstAdvice = firstAdvice;
    }

    @Override
    public synchronized void begin(List<Split> toCompute, JobProgress progress) throws IOException {
        long startNs = clock.nanoTime();
        long startMs = clock.epochMs();
        splits.addAll(toCompute);
        countCopies();
        long bytes =
                toCompute.stream().mapToLong(split -> split.range().length()).sum();
        DataSetExtent extent =
                new DataSetExtent(bytes, Math.max(1, bytes / toCompute.size()), Math.min(bytes, copiedBytes));
        List<String> notes = new ArrayList<>();
        Optional<Advice> first = firstAdvice.advise(splits, extent, notes);
        Strategy strategy = first.map(Advice::choice).orElse(Strategy.STREAM);
        progress.chosen(strategy, notes.toArray(String[]::new));
        AutoStrategy auto = new AutoStrategy(
                new AutoStrategy.Basis(
                        basis.input().source().place(),
                        extent,
                        JobSampler.nodes(basis.settings()),
                        first.map(advice -> advice.input().measurements().storage())
                                .orElse(StorageSample.UNKNOWN),
                        basis.rules().prices(),
                        basis.rules().limits().at(startMs),
                        basis.rules().keepCopies()),
                first,
                new Adviser());
        run = Optional.of(new Run(auto, progress, startNs, bytes, strategy));
    }

    @Override
    public synchronized Strategy next() {
        Run now = run.orElseThrow();
        Strategy next = now.auto.next(totals(now));
        if (next != now.running) {
            now.running = next;
            now.progress.chosen(next, reasons(now.auto.advice().orElseThrow()));
        }
        return next;
    }

    private static String[] reasons(Advice advice) {
        List<Reason> reasons = new ArrayList<>(advice.reasons(ReasonCode.CHANGED));
        reasons.addAll(advice.reasons(ReasonCode.PREDICTION));
        return reasons.stream().map(Reason::line).toArray(String[]::new);
    }

    private RunTotals totals(Run now) {
        WorkMeasures measures = now.progress.meters().measures();
        WorkMeasures.Computed computed = measures.computed();
        long received = measures.received().bytes() - now.before.bytes();
        double elapsed = (clock.nanoTime() - now.startNs) / NS_PER_SECOND;
        return new RunTotals(
                elapsed,
                basis.rules().prices().ofPart(elapsed, 1, (double)
                        measures.received().bytes()),
                computed.splits(),
                computed.bytes(),
                computed.points(),
                computed.busyNs() / NS_PER_SECOND,
                computed.waitingNs() / NS_PER_SECOND,
                received,
                received > 0 ? (measures.received().busyNs() - now.before.busyNs()) / NS_PER_SECOND : 0,
                Math.max(0, Math.min(copiedBytes, now.bytes - computed.bytes())),
                measures.copied().bytes(),
                measures.copied().busyNs() / NS_PER_SECOND);
    }

    @Override
    public synchronized void copied() {
        countCopies();
    }

    private void countCopies() {
        basis.input()
                .copies()
                .ifPresent(copies -> splits.forEach(split -> copied.put(
                        split.number(),
                        copies.copied(
                                split.object(),
                                split.range().from(),
                                split.range().to()))));
        copiedBytes = copied.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public synchronized void computed(Split split) {
        Long bytes = copied.remove(split.number());
        copiedBytes -= bytes == null ? 0 : bytes;
    }
}
