package io.chimera.dataset.job;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.compute.JobPipeline;
import io.chimera.dataset.compute.MemoryLimitException;
import io.chimera.dataset.compute.Piece;
import io.chimera.dataset.compute.PieceFile;
import io.chimera.dataset.compute.WindowMerge;
import io.chimera.dataset.format.FormatException;
import io.chimera.processor.staging.warehouse.ChunkPool;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Stores rows of a job: window by window in the order of time, the pieces of a window in the order of the splits. A
 * merge with more pieces than memory for their places takes several passes over the results. One thread.
 */
final class RowsOfJob {
    private final List<JobPipeline> pipelines;
    private final JobPlan plan;
    private final JobProgram.ResultOpener results;
    private final MergeMemory memory;
    private final JobProgress progress;

    /**
     * Memory of a merge.
     *
     * @param aggregateBytes memory of the aggregates in bytes
     * @param piecesMax maximum number of pieces of a pass
     */
    record MergeMemory(long aggregateBytes, int piecesMax) {}

    /** Remembers how far the rows are stored, so that a later run need not store them again. */
    interface Bookmark {
        /** Returns the start of the last window that need not be stored again; {@link Long#MIN_VALUE} for none. */
        long lastNs() throws IOException;

        /** Records that all windows up to a start are stored. */
        void record(long startNs) throws IOException;
    }

    /**
     * Creates the work.
     *
     * @param pipelines pipelines of the calling thread
     * @param plan the plan
     * @param results opens the results of the splits
     * @param memory memory of the merge
     * @param progress counts windows and rows
     */
    RowsOfJob(
            List<JobPipeline> pipelines,
            JobPlan plan,
            JobProgram.ResultOpener results,
            MergeMemory memory,
            JobProgress progress) {
        this.pipelines = pipelines;
        this.plan = plan;
        this.results = results;
        this.memory = memory;
        this.progress = progress;
    }

    /**
     * Stores the rows of windows. An output with the rows of earlier runs gets the windows after the bookmark.
     *
     * @param wanted start of windows to store
     * @param stores output of pipelines with stores
     * @param file output of pipelines without stores
     * @param clock time between records of the bookmark
     * @param bookmark how far the rows are stored
     * @throws JobException when a window needs too much memory, or a store refuses rows
     * @throws IOException when a result cannot be read
     */
    void store(LongPredicate wanted, RowTarget stores, RowTarget file, Clock clock, Bookmark bookmark)
            throws IOException {
        try (ChunkPool pool = new ChunkPool(false, memory.aggregateBytes(), Integer.MAX_VALUE)) {
            WindowMerge merge = new WindowMerge(pool);
            StoredWindows windows = new StoredWindows(clock, bookmark, progress);
            @Nullable MergeGroup from = MergeGroup.FIRST;
            while (from != null) {
                PassPieces pass = select(from, wanted);
                if (pass.isFirstGroupTooLong()) {
                    MergeGroup one = from;
                    windows.enter(one.startNs());
                    store(merge, one, taker -> giveAll(one, taker), windows, stores, file);
                    from = one.next();
                } else {
                    progress.hasWindows(windows.seen() + pass.windows());
                    pass.giveTo((group, places) -> {
                        windows.enter(group.startNs());
                        store(merge, group, taker -> give(places, taker), windows, stores, file);
                    });
                    from = pass.end();
                }
            }
            windows.finish();
        }
    }

    /** Selects the pieces of the next pass; each pass reads the indexes of all results. */
    private PassPieces select(MergeGroup from, LongPredicate wanted) throws IOException {
        PassPieces pass = new PassPieces(from, memory.piecesMax());
        for (Split split : plan.splits()) {
            Optional<PieceFile> result = results.open(split);
            if (result.isEmpty()) {
                continue;
            }
            for (Piece piece : result.get().pieces()) {
                if (piece.pipeline() < 0 || piece.pipeline() >= pipelines.size()) {
                    throw new FormatException(
                            "the result of " + split + " names pipeline " + piece.pipeline() + " of " + pipelines.size()
                                    + "; delete the folder of the job to begin again",
                            null);
                }
                if (wanted.test(piece.startNs())) {
                    pass.add(piece, split.number());
                }
            }
            if (pass.isFirstGroupTooLong()) {
                break;
            }
        }
        return pass;
    }

    private void give(List<PassPieces.Place> places, WindowMerge.PieceTaker taker) throws IOException {
        for (PassPieces.Place place : places) {
            taker.take(results.bytes(plan.splits().get(place.split())), place.piece());
        }
    }

    /** Gives the pieces of a group without their places in memory: from one result after the other. */
    private void giveAll(MergeGroup group, WindowMerge.PieceTaker taker) throws IOException {
        for (Split split : plan.splits()) {
            Optional<PieceFile> result = results.open(split);
            if (result.isPresent()) {
                for (Piece piece : result.get().pieces()) {
                    if (group.has(piece)) {
                        taker.take(result.get().bytes(), piece);
                    }
                }
            }
        }
    }

    private void store(
            WindowMerge merge,
            MergeGroup group,
            WindowMerge.Pieces pieces,
            StoredWindows windows,
            RowTarget stores,
            RowTarget file)
            throws IOException {
        JobPipeline pipeline = pipelines.get(group.pipeline());
        RowTarget output = pipeline.pipeline().stores().isEmpty() ? file : stores;
        if (output.hasEarlierRows() && windows.isStoredBefore(group.startNs())) {
            return;
        }
        try {
            merge.merge(pipeline, group.startNs(), pieces, RowStores.rowsMax(pipeline.pipeline()), progress, rows -> {
                output.write(pipeline.pipeline(), rows);
                progress.stored(rows.size());
            });
        } catch (MemoryLimitException e) {
            throw new JobException(
                    "window of " + Instant.EPOCH.plus(Duration.ofNanos(group.startNs())) + ", pipeline "
                            + pipeline.pipeline().name() + ": " + e.getMessage(),
                    e);
        }
    }
}
