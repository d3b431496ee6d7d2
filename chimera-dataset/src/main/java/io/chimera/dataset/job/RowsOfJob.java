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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Stores the rows of a job: window by window in the order of time, the pieces of a window in the order of the splits.
 * One thread.
 */
final class RowsOfJob {
    /** Period of the records how far the rows are stored; rows since the last record are written again. */
    private static final long RECORD_NS = TimeUnit.SECONDS.toNanos(1);

    private final JobFolder folder;
    private final List<JobPipeline> pipelines;
    private final long bytesMax;
    private final JobProgress progress;

    /** Pieces by window and pipeline. */
    private final SortedMap<Long, Map<Integer, List<WindowMerge.Located>>> windows = new TreeMap<>();

    RowsOfJob(JobFolder folder, List<JobPipeline> pipelines, long bytesMax, JobProgress progress) {
        this.folder = folder;
        this.pipelines = pipelines;
        this.bytesMax = bytesMax;
        this.progress = progress;
    }

    /**
     * Stores the rows of all windows. An output with the rows of earlier runs gets the windows after the recorded one.
     *
     * @param results results of the splits with rows, ordered by split
     * @param stores output of pipelines with stores
     * @param file output of pipelines without stores
     * @param clock time between records
     * @throws JobException when a window needs too much memory, or a store refuses rows
     */
    void store(List<SplitResult> results, RowTarget stores, RowTarget file, Clock clock) throws IOException {
        try (ChunkPool pool = new ChunkPool(false, bytesMax, Integer.MAX_VALUE)) {
            open(results);
            progress.hasWindows(windows.size());
            long recorded = folder.merged().orElse(Long.MIN_VALUE);
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
                    folder.merged(startNs);
                    recordedNs = clock.nanoTime();
                }
            }
        }
    }

    private void open(List<SplitResult> results) throws IOException {
        for (SplitResult result : results) {
            PieceFile file = result.pieces();
            for (Piece piece : file.pieces()) {
                if (piece.pipeline() < 0 || piece.pipeline() >= pipelines.size()) {
                    throw new FormatException(
                            "the result of " + result.split() + " names pipeline " + piece.pipeline() + " of "
                                    + pipelines.size() + "; delete the folder of the job to begin again",
                            null);
                }
                windows.computeIfAbsent(piece.startNs(), startNs -> new TreeMap<>())
                        .computeIfAbsent(piece.pipeline(), pipeline -> new ArrayList<>())
                        .add(new WindowMerge.Located(piece, file));
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
