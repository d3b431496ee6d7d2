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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
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

    /** Pieces by window and pipeline, of the same window and pipeline in the order of the splits. */
    private final List<WindowMerge.Located> pieces = new ArrayList<>();

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
     * @throws JobException when the pieces exceed the memory
     * @throws IOException when a result cannot be read
     */
    void open(JobPlan plan, JobProgram.ResultOpener results, LongPredicate wanted) throws IOException {
        PieceLimit limit = new PieceLimit(bytesMax);
        for (Split split : plan.splits()) {
            Optional<PieceFile> result = results.open(split);
            if (result.isEmpty()) {
                continue;
            }
            PieceFile file = result.get();
            Piece.Reader reader = file.reader(); // without the index, which may have many further pieces
            for (Piece piece : file.pieces()) {
                if (piece.pipeline() < 0 || piece.pipeline() >= pipelines.size()) {
                    throw new FormatException(
                            "the result of " + split + " names pipeline " + piece.pipeline() + " of " + pipelines.size()
                                    + "; delete the folder of the job to begin again",
                            null);
                }
                if (wanted.test(piece.startNs())) {
                    limit.add(1);
                    pieces.add(new WindowMerge.Located(piece, reader));
                }
            }
        }
        pieces.sort(Comparator.comparingLong(RowsOfJob::startNs).thenComparingInt(RowsOfJob::pipeline)); // stable
        progress.hasWindows(windows());
    }

    private static long startNs(WindowMerge.Located located) {
        return located.piece().startNs();
    }

    private static int pipeline(WindowMerge.Located located) {
        return located.piece().pipeline();
    }

    private int windows() {
        int windows = 0;
        for (int i = 0; i < pieces.size(); i++) {
            windows += i == 0 || startNs(pieces.get(i)) != startNs(pieces.get(i - 1)) ? 1 : 0;
        }
        return windows;
    }

    /** Returns the index after the last piece of the window and pipeline of a piece. */
    private int endOfGroup(int from) {
        int end = from + 1;
        while (end < pieces.size()
                && startNs(pieces.get(end)) == startNs(pieces.get(from))
                && pipeline(pieces.get(end)) == pipeline(pieces.get(from))) {
            end++;
        }
        return end;
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
            int from = 0;
            while (from < pieces.size()) {
                long startNs = startNs(pieces.get(from));
                int end = endOfGroup(from);
                JobPipeline pipeline = pipelines.get(pipeline(pieces.get(from)));
                RowTarget output = pipeline.pipeline().stores().isEmpty() ? file : stores;
                if (startNs > recorded || !output.hasEarlierRows()) {
                    store(merge, startNs, pipeline, pieces.subList(from, end), output);
                }
                from = end;
                boolean isLast = from == pieces.size();
                if (isLast || startNs(pieces.get(from)) != startNs) {
                    progress.windowStored();
                    if (startNs > recorded && (isLast || clock.nanoTime() - recordedNs > RECORD_NS)) {
                        bookmark.record(startNs);
                        recordedNs = clock.nanoTime();
                    }
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
