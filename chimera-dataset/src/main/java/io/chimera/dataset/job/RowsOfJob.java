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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;

/**
 * Stores rows of a job: window by window in the order of time, the pieces of a window in the order of the splits. One
 * thread.
 */
final class RowsOfJob {
    /** Period of the records how far the rows are stored; rows since the last record are written again. */
    private static final long RECORD_NS = TimeUnit.SECONDS.toNanos(1);

    private final List<JobPipeline> pipelines;
    private final long bytesMax;
    private final JobProgress progress;

    /** Pieces by window and pipeline. */
    private final SortedMap<Long, Map<Integer, List<WindowMerge.Located>>> windows = new TreeMap<>();

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
     * @param bytesMax memory of the aggregates
     * @param progress counts windows and rows
     */
    RowsOfJob(List<JobPipeline> pipelines, long bytesMax, JobProgress progress) {
        this.pipelines = pipelines;
        this.bytesMax = bytesMax;
        this.progress = progress;
    }

    /**
     * Takes the pieces of the splits.
     *
     * @param plan the plan
     * @param results opens the result of a split
     * @param wanted start of windows to take
     * @throws IOException when a result cannot be read
     */
    void open(JobPlan plan, JobProgram.ResultOpener results, LongPredicate wanted) throws IOException {
        for (Split split : plan.splits()) {
            Optional<PieceFile> result = results.open(split);
            if (result.isEmpty()) {
                continue;
            }
            PieceFile file = result.get();
            for (Piece piece : file.pieces()) {
                if (piece.pipeline() < 0 || piece.pipeline() >= pipelines.size()) {
                    throw new FormatException(
                            "the result of " + split + " names pipeline " + piece.pipeline() + " of " + pipelines.size()
                                    + "; delete the folder of the job to begin again",
                            null);
                }
                if (wanted.test(piece.startNs())) {
                    windows.computeIfAbsent(piece.startNs(), startNs -> new TreeMap<>())
                            .computeIfAbsent(piece.pipeline(), pipeline -> new ArrayList<>())
                            .add(new WindowMerge.Located(piece, file));
                }
            }
        }
        progress.hasWindows(windows.size());
    }

    /**
     * Stores the rows of the opened windows. An output with the rows of earlier runs gets the windows after the
     * bookmark.
     *
     * @param stores output of pipelines with stores
     * @param file output of pipelines without stores
     * @param clock time between records of the bookmark
     * @param bookmark how far the rows are stored
     * @throws JobException when a window needs too much memory, or a store refuses rows
     */
    void store(RowTarget stores, RowTarget file, Clock clock, Bookmark bookmark) throws IOException {
        try (ChunkPool pool = new ChunkPool(false, bytesMax, Integer.MAX_VALUE)) {
            long recorded = bookmark.lastNs();
            WindowMerge merge = new WindowMerge(pool);
            long recordedNs = clock.nanoTime();
            for (Map.Entry<Long, Map<Integer, List<WindowMerge.Located>>> window : windows.entrySet()) {
                long startNs = window.getKey();
                for (Map.Entry<Integer, List<WindowMerge.Located>> pieces :
                        window.getValue().entrySet()) {
                    JobPipeline pipeline = pipelines.get(pieces.getKey());
                    RowTarget output = pipeline.pipeline().stores().isEmpty() ? file : stores;
                    if (startNs > recorded || !output.hasEarlierRows()) {
                        store(merge, startNs, pipeline, pieces.getValue(), output);
                    }
                }
                progress.windowStored();
                boolean isLast = startNs == windows.lastKey();
                if (startNs > recorded && (isLast || clock.nanoTime() - recordedNs > RECORD_NS)) {
                    bookmark.record(startNs);
                    recordedNs = clock.nanoTime();
                }
            }
        }
    }

    private void store(
            WindowMerge merge, long startNs, JobPipeline pipeline, List<WindowMerge.Located> pieces, RowTarget output)
            throws IOException {
        try {
            merge.merge(pipeline, startNs, pieces, RowStores.rowsMax(pipeline.pipeline()), progress, rows -> {
                output.write(pipeline.pipeline(), rows);
                progress.stored(rows.size());
            });
        } catch (MemoryLimitException e) {
            throw new JobException(
                    "window of " + Instant.EPOCH.plus(Duration.ofNanos(startNs)) + ", pipeline "
                            + pipeline.pipeline().name() + ": " + e.getMessage(),
                    e);
        }
    }
}
