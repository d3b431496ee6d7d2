package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import io.chimera.api.model.SeriesKey;
import io.chimera.processor.pipeline.CompletedShard;
import io.chimera.processor.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Flushes a pipeline of a whole shard to a store. A walk over the groups makes and writes rows, a bounded number at a
 * time. A pipeline with {@code exactly_once} then reads the rows back. Rows of a shard small enough for a single
 * read-back are kept in memory. For a larger shard a second walk makes the same rows again, so only the indexes of the
 * refused rows are kept in between. The flusher's thread.
 */
final class StoreFlush {
    /** Maximum number of rows written at a time: the default batch size of a store. At 300 bytes: 3 MB. */
    private static final int ROWS_WRITTEN = 10_000;

    /**
     * Maximum number of rows read back at a time. Larger than the write batch, because a store reads whole metrics. At
     * 300 bytes: 15 MB.
     */
    private static final int ROWS_VERIFIED = 50_000;

    private final StoreLane lane;
    private final Pipeline pipeline;
    private final CompletedShard shard;
    private final FlushTools tools;
    private final HeaviestGroups.Walk walk;
    private final BitSet refused = new BitSet();

    private Stage stage = Stage.WRITING;
    private RowSource maker;
    private boolean hasMore = true;
    private int made;
    private long rowsWritten;

    /** Rows that the store took; null without read-back, or above the limit. */
    private List<Row> kept;

    private List<Row> writing;
    private StoreWrite write;
    private RowCheck check;

    private enum Stage {
        WRITING,
        VERIFYING,
        DONE
    }

    StoreFlush(StoreLane lane, Pipeline pipeline, CompletedShard shard, FlushTools tools) {
        this.lane = lane;
        this.pipeline = pipeline;
        this.shard = shard;
        this.tools = tools;
        walk = new HeaviestGroups.Walk(pipeline.name());
        maker = maker(new FirstWalk());
        kept = pipeline.isVerified() ? new ArrayList<>() : null;
    }

    private RowSource maker(RowMaker.Listener listener) {
        List<Row> rows = shard.rows(pipeline.ordinal());
        return rows != null
                ? new ListedRows(rows)
                : new RowMaker(pipeline, shard.groups(pipeline.ordinal()), shard.timeMs(), listener);
    }

    StoreLane lane() {
        return lane;
    }

    /** Returns whether the store acknowledged all rows. */
    boolean isFlushed() {
        return stage != Stage.WRITING;
    }

    boolean isDone() {
        return stage == Stage.DONE;
    }

    /** Returns the number of acknowledged rows. */
    long rowsWritten() {
        return rowsWritten;
    }

    /** Returns the reason why rows wait for a decision; null when none do. */
    StoreLane.Held held() {
        if (write != null) {
            return write.held();
        }
        return check == null ? null : check.held();
    }

    /** Does the next piece of work; false while waiting for the store. */
    boolean step() {
        return switch (stage) {
            case WRITING -> write();
            case VERIFYING -> verify();
            case DONE -> false;
        };
    }

    private boolean write() {
        if (write == null) {
            makeWrite();
            return true;
        }
        boolean hasWorked = write.isDone() || write.step();
        if (write.isDone()) {
            endWrite();
        }
        return hasWorked;
    }

    private void makeWrite() {
        if (!hasMore) {
            endWriting();
            return;
        }
        writing = new ArrayList<>();
        hasMore = maker.fill(writing, ROWS_WRITTEN);
        made += writing.size();
        write = new StoreWrite(lane, writing, this::toLetters, tools.counters());
    }

    private void endWriting() {
        tools.heaviest().end(shard, walk); // repeated with the same result for each store of the pipeline
        if (!pipeline.isVerified() || rowsWritten == 0) {
            stage = Stage.DONE;
            return;
        }
        stage = Stage.VERIFYING;
        if (kept != null) {
            check = new RowCheck(lane, kept, this::toLetters, tools);
            kept = null;
            return;
        }
        maker = maker(RowMaker.Listener.NONE);
        made = 0;
        hasMore = true;
    }

    private void endWrite() {
        int first = made - write.count();
        write.refused().stream().forEach(index -> refused.set(first + index));
        rowsWritten += write.count() - write.refused().cardinality();
        keep();
        write = null;
        writing = null;
    }

    private void keep() {
        if (kept == null || kept.size() + writing.size() > ROWS_VERIFIED) {
            kept = null;
            return;
        }
        for (int i = 0; i < writing.size(); i++) {
            if (!write.refused().get(i)) {
                kept.add(writing.get(i));
            }
        }
    }

    private boolean verify() {
        if (check == null) {
            makeCheck();
            return true;
        }
        boolean hasWorked = check.isDone() || check.step();
        if (check.isDone()) {
            rowsWritten -= check.refused();
            check = null;
        }
        return hasWorked;
    }

    private void makeCheck() {
        if (!hasMore) {
            stage = Stage.DONE;
            return;
        }
        List<Row> rows = new ArrayList<>();
        hasMore = maker.fill(rows, ROWS_VERIFIED);
        List<Row> taken = new ArrayList<>(rows.size());
        for (Row row : rows) {
            if (!refused.get(made++)) {
                taken.add(row);
            }
        }
        check = new RowCheck(lane, taken, this::toLetters, tools);
    }

    private void toLetters(Row row, String reason) {
        tools.letters().write(tools.clock().epochMs(), lane.name(), pipeline.name(), row, reason);
    }

    /**
     * Reports rows left out, and finds the heaviest groups. The second walk leaves out the same rows without reports.
     */
    private final class FirstWalk implements RowMaker.Listener {
        @Override
        public void onGroup(SeriesKey key, long values) {
            walk.onGroup(key, values);
        }

        @Override
        public void onNotFinite() {
            tools.onNotFinite();
        }

        @Override
        public void onFailed(Row row, Throwable reason) {
            tools.onFailed(pipeline, shard, row, reason);
            toLetters(row, "an aggregator failed: " + reason);
        }
    }
}
