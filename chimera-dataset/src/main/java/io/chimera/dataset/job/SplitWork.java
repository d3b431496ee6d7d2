package io.chimera.dataset.job;

import io.chimera.dataset.compute.JobPipeline;
import io.chimera.dataset.compute.PieceFile;
import io.chimera.dataset.compute.SplitFold;
import io.chimera.dataset.compute.Windows;
import io.chimera.dataset.fetch.ReadAhead;
import io.chimera.dataset.fetch.Reception;
import io.chimera.dataset.format.EventFormat;
import io.chimera.dataset.format.EventReader;
import io.chimera.dataset.meter.WorkerMeter;
import io.chimera.dataset.plan.Strategy;
import io.chimera.processor.staging.warehouse.ChunkPool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Computes splits one after the other: reads the events, aggregates their points, and writes the result. One thread.
 */
final class SplitWork implements AutoCloseable {
    private final JobInput input;
    private final EventFormat format;
    private final Reception reception;
    private final ReadAhead.Depth depth;
    private final List<JobPipeline> pipelines;
    private final Windows windows;

    /** Memory by which windows are handed over: the same for all splits of the plan. */
    private final long bytesOfPlan;

    /** Memory of the aggregates, and memory of the index of a result. */
    private final long bytesMax;

    private final ChunkPool pool;
    private final RejectLimits rejectLimits;
    private final WorkerMeter meter;

    /** Tells the split of the next call, while a split is computed. */
    private Supplier<Optional<AssignedSplit>> following = Optional::empty;

    /** The split of the next call, once its bytes are requested; another worker may take the split. */
    private Optional<AssignedSplit> ahead = Optional.empty();

    SplitWork(JobInput input, List<JobPipeline> pipelines, JobSettings settings, JobPlan plan, WorkerMeter meter) {
        this.input = input;
        format = input.format();
        reception = input.reception();
        depth = settings.depth();
        this.pipelines = pipelines;
        windows = settings.windows();
        bytesOfPlan = plan.hasMemory() ? plan.memory() : settings.bytesPerWorker();
        bytesMax = Math.max(bytesOfPlan, settings.bytesPerWorker());
        pool = new ChunkPool(false, bytesMax, Integer.MAX_VALUE);
        rejectLimits = input.badInput().rejects();
        this.meter = meter;
    }

    /**
     * Computes a split and writes its result.
     *
     * @param assigned the split; the result is the same with each strategy
     * @param result file of the result
     * @param progress counts the split
     * @param next returns the split of the next call, as far as known: its first bytes are requested at the end of this
     *     split
     * @throws IOException when the split cannot be read, or the result cannot be written
     */
    void compute(AssignedSplit assigned, Path result, JobProgress progress, Supplier<Optional<AssignedSplit>> next)
            throws IOException {
        Split split = assigned.split();
        following = next;
        if (assigned.strategy() == Strategy.COPY) {
            input.copy(List.of(split), depth.ranges());
        }
        RejectedEvents rejected = new RejectedEvents(split, rejectLimits);
        try (PieceFile.Writer writer = new PieceFile.Writer(result);
                ReadAhead bytes = begin(assigned);
                EventReader events = format.open(meter.begin(bytes, split.range()), split.range());
                SplitFold fold = new SplitFold(
                        pipelines, windows, pool, bytesOfPlan, new BoundedPieces(writer, split, bytesMax), rejected)) {
            while (events.read(fold)) {
                fold.check();
                if (Thread.currentThread().isInterrupted()) {
                    throw new JobException(split + " was interrupted; run the job again to continue", null);
                }
            }
            fold.finish();
            writer.finish(fold.accepted(), fold.rejected(), rejected.lines());
            meter.end(split.range(), fold.accepted());
            progress.computed(split, fold.accepted(), fold.rejected());
        }
    }

    private ReadAhead begin(AssignedSplit assigned) {
        ahead = Optional.empty();
        ReadAhead bytes = assigned.begin(this::open);
        if (format.readsInOrder()) {
            bytes.follow(this::requestAhead);
        }
        return bytes;
    }

    private ReadAhead open(AssignedSplit assigned) {
        Split split = assigned.split();
        return new ReadAhead(input.source(assigned.strategy()), split.object(), split.range(), depth, reception);
    }

    private void requestAhead(int ranges) {
        ahead = following.get().filter(next -> next.strategy() != Strategy.COPY); // is copied first
        ahead.ifPresent(next -> next.request(ranges, this::open));
    }

    @Override
    public void close() {
        ahead.ifPresent(AssignedSplit::close);
        pool.close();
    }
}
