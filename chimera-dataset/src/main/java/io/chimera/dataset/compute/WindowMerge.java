package io.chimera.dataset.compute;

import io.chimera.api.model.Row;
import io.chimera.dataset.format.FormatException;
import io.chimera.processor.flusher.RowMaker;
import io.chimera.processor.staging.warehouse.ChunkPool;
import io.chimera.processor.staging.warehouse.MergedGroups;
import io.chimera.processor.staging.warehouse.Warehouse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Merges the pieces of a window of a pipeline, in the order of the splits and of the pieces within a split, and makes
 * the rows. One thread.
 */
public final class WindowMerge {
    private final ChunkPool pool;
    private final PieceLoader loader = new PieceLoader();
    private final PieceReader reader = new PieceReader();

    /** Receives rows. */
    @FunctionalInterface
    public interface RowSink {
        /**
         * Takes rows of one time.
         *
         * @param rows at least one row; valid during the call
         * @throws IOException when the rows cannot be kept
         */
        void rows(List<Row> rows) throws IOException;
    }

    /** Pieces of a window and pipeline. */
    @FunctionalInterface
    public interface Pieces {
        /**
         * Gives all pieces in the order of the splits, those of a split in their order in the file.
         *
         * @param merge takes each piece with its file
         * @throws IOException when a piece cannot be read
         */
        void giveTo(PieceTaker merge) throws IOException;
    }

    /** Takes pieces. */
    @FunctionalInterface
    public interface PieceTaker {
        /**
         * Takes a piece.
         *
         * @param file file of the piece
         * @param piece a piece of the file
         * @throws IOException when the piece cannot be read
         */
        void take(PieceBytes file, Piece piece) throws IOException;
    }

    /**
     * Creates a merge.
     *
     * @param pool memory of the aggregates, owned by the calling thread
     */
    public WindowMerge(ChunkPool pool) {
        this.pool = pool;
    }

    /**
     * Makes the rows of a window.
     *
     * @param pipeline the pipeline
     * @param startNs start of the window, nanoseconds since 1970
     * @param pieces all pieces of the window and pipeline
     * @param rowsMax wished number of rows of a call of the sink; the last field may add a few
     * @param listener receives rows left out
     * @param out receives the rows, in an order that depends on the pieces alone
     * @throws IOException when a piece cannot be read, or a row cannot be kept
     */
    public void merge(
            JobPipeline pipeline, long startNs, Pieces pieces, int rowsMax, RowMaker.Listener listener, RowSink out)
            throws IOException {
        Warehouse merged = pipeline.warehouse(pool);
        try {
            pieces.giveTo((file, piece) -> {
                if (!loader.load(pipeline, reader.read(file, piece), piece.length(), merged)) {
                    throw new FormatException("a piece of the window at " + startNs + " ns is damaged", null);
                }
            });
            RowMaker maker = new RowMaker(
                    pipeline.pipeline(),
                    new MergedGroups(List.of(merged), pipeline.plugins()),
                    Windows.rowTimeMs(startNs),
                    listener);
            List<Row> rows = new ArrayList<>();
            boolean hasMore = true;
            while (hasMore) {
                rows.clear();
                hasMore = maker.fill(rows, rowsMax);
                if (!rows.isEmpty()) {
                    out.rows(rows);
                }
            }
        } finally {
            merged.clear();
        }
    }
}
