package io.chimera.dataset.job;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.compute.JobPipeline;
import io.chimera.dataset.compute.PieceFile;
import io.chimera.dataset.meter.JobMeters;
import io.chimera.dataset.plan.Strategy;
import io.chimera.dataset.source.Retries;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A job in one process, without any server: plans the splits, computes them on several threads, and stores the rows.
 * The state is in a {@link JobFolder}: a job that was stopped, killed or failed continues with what is there, and the
 * rows are the same as without the interruption. {@link #run} by one thread; {@link #progress} by any.
 */
public final class LocalJob {
    /** Time for the workers to end after a failure; a read from a source may take as long. */
    private static final Duration WORKERS_END = Duration.ofSeconds(30);

    private final JobFolder folder;
    private final JobInput input;
    private final Supplier<List<JobPipeline>> pipelines;
    private final JobSettings settings;
    private final SplitStrategies strategies;
    private final Clock clock;
    private final Retries.Pauses pauses;
    private final BadSplits badSplits;
    private final JobProgress progress;

    /**
     * Creates a job.
     *
     * @param folder state of the job
     * @param input events of the job
     * @param pipelines makes the pipelines for a thread; the stores of the pipelines are used by the thread of {@link
     *     #run} alone
     * @param settings settings of the job
     * @param strategies chooses the strategy of each split
     * @param clock measures the outages of stores
     * @param pauses waits for stores
     */
    public LocalJob(
            JobFolder folder,
            JobInput input,
            Supplier<List<JobPipeline>> pipelines,
            JobSettings settings,
            SplitStrategies strategies,
            Clock clock,
            Retries.Pauses pauses) {
        this.folder = folder;
        this.input = input;
        this.pipelines = pipelines;
        this.settings = settings;
        this.strategies = strategies;
        this.clock = clock;
        this.pauses = pauses;
        badSplits = new BadSplits(folder, input);
        progress = new JobProgress(new JobMeters(clock));
        input.copies().ifPresent(copies -> progress.meters().copies(copies::totals));
    }

    /** Returns the progress. */
    public JobProgress progress() {
        return progress;
    }

    /**
     * Runs the job to its end.
     *
     * @throws JobException when the job cannot go on
     * @throws IOException when the source or the folder fails
     */
    public void run() throws IOException {
        JobPlan plan = plan();
        progress.planned(plan);
        progress.enter(JobPhase.COMPUTING);
        compute(plan);
        FolderResults results = results(plan);
        progress.enter(JobPhase.STORING);
        long bytes = settings.bytesPerWorker();
        RowsOfJob rows = new RowsOfJob(
                pipelines.get(),
                plan,
                results,
                new RowsOfJob.MergeMemory(bytes, PassPieces.piecesMax(bytes * settings.workers())),
                progress);
        try (RowLines file = new RowLines(folder.rows())) {
            rows.store(startNs -> true, new RowStores(clock, jitter(settings), pauses), file, clock, bookmark());
            file.finish();
        }
        folder.forgetMerged(); // a later run writes the rows once more, for a store that has lost them
        progress.enter(JobPhase.DONE);
    }

    /** Returns how far the rows are stored in the present stores, kept in the folder. */
    private RowsOfJob.Bookmark bookmark() {
        return new RowsOfJob.Bookmark() {
            @Override
            public long lastNs() throws IOException {
                return folder.merged(settings.stores()).orElse(Long.MIN_VALUE);
            }

            @Override
            public void record(long startNs) throws IOException {
                folder.merged(settings.stores(), startNs);
            }
        };
    }

    /** Returns a generator that differs between jobs, so that they do not return to a store at the same time. */
    static RandomGenerator jitter(JobSettings settings) {
        return new SplittableRandom(settings.definition().rows().hashCode());
    }

    private JobPlan plan() throws IOException {
        JobPlan known = folder.plan().orElse(null);
        if (known != null && settings.definition().isOf(known)) {
            return known;
        }
        if (known != null && folder.hasResults()) {
            throw new JobException(
                    "the definition of the job is not the one of its earlier run, which has computed splits; use"
                            + " another name, or delete the folder " + folder.path() + " to begin again",
                    null);
        }
        folder.forgetMerged();
        JobPlan plan = input.plan(settings, SplitLimit.OF_JOB);
        folder.plan(plan);
        return plan;
    }

    private void compute(JobPlan plan) throws IOException {
        List<Split> missing = new ArrayList<>();
        for (Split split : plan.splits()) {
            if (folder.isComputed(split.number())) {
                countEarlier(split);
            } else if (folder.skipped(split.number()).isPresent()) {
                progress.skipped();
            } else {
                missing.add(split);
            }
        }
        if (missing.isEmpty()) {
            return;
        }
        strategies.begin(missing, progress);
        if (strategies.next() == Strategy.COPY) {
            copy(missing);
        }
        int workers = Math.min(settings.workers(), missing.size());
        SplitQueue queue = new SplitQueue(missing, strategies::next);
        ExecutorService threads = Executors.newFixedThreadPool(workers);
        try {
            CompletionService<Boolean> running = new ExecutorCompletionService<>(threads);
            for (int i = 0; i < workers; i++) {
                int worker = i;
                running.submit(() -> work(worker, plan, queue));
            }
            for (int i = 0; i < workers; i++) {
                running.take().get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while splits were computed");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new JobException("a split could not be computed: " + e.getCause(), e.getCause());
        } finally {
            stop(threads);
        }
    }

    private void copy(List<Split> missing) throws IOException {
        progress.enter(JobPhase.COPYING);
        input.copy(missing, settings.workers() * settings.depth().ranges());
        strategies.copied();
        progress.enter(JobPhase.COMPUTING);
    }

    /** Interrupts the workers, and waits until they use neither the source nor the folder. */
    private static void stop(ExecutorService threads) {
        threads.shutdownNow();
        try {
            threads.awaitTermination(WORKERS_END.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean work(int worker, JobPlan plan, SplitQueue queue) throws IOException {
        try (SplitWork work = new SplitWork(
                input, pipelines.get(), settings, plan, progress.meters().newWorker())) {
            Optional<AssignedSplit> next = queue.take(worker);
            for (; next.isPresent(); next = queue.take(worker)) {
                Split split = next.get().split();
                try {
                    work.compute(next.get(), folder.result(split.number()), progress, () -> queue.reserve(worker));
                    strategies.computed(split);
                } catch (JobException e) {
                    throw e;
                } catch (IOException e) {
                    if (badSplits.skip(split, e)) {
                        progress.skipped();
                        continue;
                    }
                    throw new JobException(
                            split + ", state in " + folder.path() + ": " + e.getMessage()
                                    + ". After the repair, run the job again to continue.",
                            e);
                }
            }
        }
        return true;
    }

    /** Returns the results that become rows, after the report of bad input. */
    private FolderResults results(JobPlan plan) throws IOException {
        InputReport report = new InputReport(folder.path());
        BitSet skipped = new BitSet();
        List<SkippedSplit> list = badSplits.list(plan);
        list.forEach(split -> skipped.set(split.split()));
        report.skipped(list);
        for (SkippedSplit each : list) {
            if (folder.isComputed(each.split())) {
                PieceFile unused = PieceFile.open(folder.result(each.split()));
                progress.leftOut(plan.splits().get(each.split()), unused.accepted(), unused.rejected());
            }
        }
        FolderResults results = new FolderResults(folder, skipped);
        report.rejected(
                taker -> results.giveRejects(plan, taker),
                input.badInput().rejects().perJob());
        return results;
    }

    private void countEarlier(Split split) throws IOException {
        PieceFile result = PieceFile.open(folder.result(split.number()));
        progress.computed(split, result.accepted(), result.rejected());
    }
}
