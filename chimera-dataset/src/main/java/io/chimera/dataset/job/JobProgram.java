package io.chimera.dataset.job;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.compute.JobPipeline;
import io.chimera.dataset.compute.PieceBytes;
import io.chimera.dataset.compute.PieceFile;
import io.chimera.dataset.meter.JobMeters;
import io.chimera.dataset.plan.Strategy;
import io.chimera.dataset.plan.StrategyRules;
import io.chimera.dataset.source.Retries;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * Computation of a job: its plan, the result of a split, the rows of windows. Any number of threads; each call uses
 * instances of the pipelines that no other call uses at the same time. The caller keeps the results.
 */
public final class JobProgram implements AutoCloseable {
    private final JobInput input;
    private final Supplier<List<JobPipeline>> pipelines;
    private final JobSettings settings;
    private final StrategyRules rules;
    private final JobMeters meters;
    private final Clock clock;
    private final Retries.Pauses pauses;

    /** Idle instances; each keeps its memory for the next split. */
    private final Queue<SplitWork> idle = new ConcurrentLinkedQueue<>();

    /** Held while rows are stored: a store is used by one thread at a time. */
    private final Lock storing = new ReentrantLock();

    /** Opens results of splits for a merge, each any number of times. */
    public interface ResultOpener {
        /**
         * Opens the result of a split.
         *
         * @param split the split
         * @return the result; empty if it has no piece of a wanted window
         * @throws IOException when the result cannot be read
         */
        Optional<PieceFile> open(Split split) throws IOException;

        /**
         * Returns the bytes of a result that was opened before.
         *
         * @param split the split
         */
        PieceBytes bytes(Split split);
    }

    /** Rows are stored from the begin of a range: they overwrite themselves. */
    private static final class NoBookmark implements RowsOfJob.Bookmark {
        @Override
        public long lastNs() {
            return Long.MIN_VALUE;
        }

        @Override
        public void record(long startNs) {
            // the whole range is recorded by the caller
        }
    }

    /**
     * Creates a program.
     *
     * @param input events of the job
     * @param pipelines makes the pipelines for a thread
     * @param settings settings of the job
     * @param rules rules of the job for its strategy
     * @param clock measures the outages of stores
     * @param pauses waits for stores
     */
    public JobProgram(
            JobInput input,
            Supplier<List<JobPipeline>> pipelines,
            JobSettings settings,
            StrategyRules rules,
            Clock clock,
            Retries.Pauses pauses) {
        this.input = input;
        this.pipelines = pipelines;
        this.settings = settings;
        this.rules = rules;
        this.clock = clock;
        this.pauses = pauses;
        meters = new JobMeters(clock);
        input.copies().ifPresent(copies -> meters.copies(copies::totals));
    }

    /** Creates a program with the strategy stream. */
    public JobProgram(
            JobInput input,
            Supplier<List<JobPipeline>> pipelines,
            JobSettings settings,
            Clock clock,
            Retries.Pauses pauses) {
        this(input, pipelines, settings, StrategyRules.STREAM, clock, pauses);
    }

    /** Returns the meters of the sources, copies and threads. */
    public JobMeters meters() {
        return meters;
    }

    /** Returns the rules of the job for its strategy. */
    public StrategyRules rules() {
        return rules;
    }

    /** Returns the address of the source without secrets. */
    public String place() {
        return input.source().place();
    }

    /** Returns whether this process has copies. */
    public boolean hasCopies() {
        return input.copies().isPresent();
    }

    /** Returns the memory for ranges under way, in bytes. */
    public long readAheadBytes() {
        return (long) settings.workers()
                * settings.depth().ranges()
                * settings.depth().rangeLength();
    }

    /** Returns the progress of a piece of work that has not begun. */
    public JobProgress newProgress() {
        return new JobProgress(new JobMeters(clock));
    }

    /** Returns the length of a window in nanoseconds. */
    public long windowNs() {
        return settings.windows().lengthNs();
    }

    /** Returns whether bad splits are left out, instead of ending the job. */
    public boolean skipsBadSplits() {
        return input.badInput().onBadSplit() == OnBadSplit.SKIP;
    }

    /**
     * Marks a split as skipped.
     *
     * @param split the split
     * @param reason short name of the reason
     * @param message defect and remedy
     */
    public SkippedSplit skipped(Split split, String reason, String message) {
        boolean takesFollowing =
                !input.format().hasIndependentSplits(split.object().path());
        return SkippedSplit.of(split, reason, message, takesFollowing);
    }

    /**
     * Lists the objects and searches the splits.
     *
     * @param limit limit of the splits
     * @throws JobException when no object with content matches
     * @throws IOException when an object cannot be listed or read
     */
    public JobPlan plan(SplitLimit limit) throws IOException {
        return input.plan(settings, limit);
    }

    /**
     * Computes a split. The result appears under its name once it is whole and durable.
     *
     * @param plan the plan
     * @param split a split of the plan, which is the same in all calls
     * @param strategy way of the bytes to the computation; the result is the same with each
     * @param result file of the result
     * @param progress counts the split
     * @throws IOException when the split cannot be read, or the result cannot be written
     */
    public void compute(JobPlan plan, Split split, Strategy strategy, Path result, JobProgress progress)
            throws IOException {
        SplitWork free = idle.poll();
        SplitWork work =
                free == null ? new SplitWork(input, pipelines.get(), settings, plan, meters.newWorker()) : free;
        boolean isGood = false;
        try {
            work.compute(new AssignedSplit(split, strategy), result, progress, Optional::empty);
            isGood = true;
        } finally {
            if (isGood) {
                idle.add(work);
            } else {
                work.close(); // a failed split leaves aggregates behind
            }
        }
    }

    /**
     * Merges windows and stores their rows.
     *
     * @param plan the plan
     * @param results opens the results of all splits
     * @param wanted starts of the windows
     * @param rows file for the rows of pipelines without stores; not written if all pipelines have stores
     * @param progress counts windows and rows
     * @return whether the file was written
     * @throws JobException when a window needs too much memory, or a store refuses rows
     * @throws IOException when a result cannot be read, or a row cannot be stored
     */
    public boolean merge(JobPlan plan, ResultOpener results, LongPredicate wanted, Path rows, JobProgress progress)
            throws IOException {
        storing.lock();
        try {
            return store(plan, results, wanted, rows, progress);
        } finally {
            storing.unlock();
        }
    }

    private boolean store(JobPlan plan, ResultOpener results, LongPredicate wanted, Path rows, JobProgress progress)
            throws IOException {
        List<JobPipeline> own = pipelines.get();
        long bytes = settings.bytesPerWorker();
        RowsOfJob work = new RowsOfJob(
                own, plan, results, new RowsOfJob.MergeMemory(bytes, PassPieces.piecesMax(bytes)), progress);
        RowStores stores = new RowStores(clock, LocalJob.jitter(settings), pauses);
        if (own.stream().noneMatch(pipeline -> pipeline.pipeline().stores().isEmpty())) {
            work.store(wanted, stores, stores, clock, new NoBookmark());
            return false;
        }
        try (RowLines file = new RowLines(rows)) {
            work.store(wanted, stores, file, clock, new NoBookmark());
            file.finish();
        }
        return true;
    }

    /** Gives the memory of the splits free. No call may be under way. */
    @Override
    public void close() {
        for (SplitWork work = idle.poll(); work != null; work = idle.poll()) {
            work.close();
        }
    }
}
