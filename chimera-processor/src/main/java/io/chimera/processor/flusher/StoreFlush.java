package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import io.chimera.api.model.RowVersion;
import io.chimera.api.model.SeriesKey;
import io.chimera.api.spi.ShardWrite;
import io.chimera.processor.pipeline.CompletedShard;
import io.chimera.processor.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Flushes a pipeline of a whole shard to a store. A walk over the groups makes and writes rows, a bounded number at a
 * time. A pipeline with {@code exactly_once} then reads the rows back. Rows of a shard small enough for a single
 * read-back are kept in memory. For a larger shard a second walk makes the same rows again, so only the indexes of the
 * refused rows are kept in between.
 *
 * <p>A store that writes shards as a whole gets the rows in the order of their identity, between begin and commit.
 * After a failure, or when rows are missing at the read-back, the flush begins again with the first row, without the
 * rows already known to be bad. The flusher's thread.
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

    /** Version of the rows; null for a store without shards. */
    private RowVersion version;

    private Stage stage;
    private RowSource maker;
    private boolean isWalked;
    private boolean hasMore = true;
    private int made;

    /** Index of the first row of the present write among all rows, including refused rows. */
    private int placeOfWritten;

    private long rowsWritten;

    /** Rows that the store took; null without read-back, or above the limit. */
    private List<Row> kept;

    private List<Row> writing;
    private StoreWrite write;
    private RowCheck check;

    /** {@code BEGINNING} and {@code COMMITTING} only for a store that writes shards as a whole. */
    private enum Stage {
        BEGINNING,
        WRITING,
        COMMITTING,
        VERIFYING,
        DONE
    }

    StoreFlush(StoreLane lane, Pipeline pipeline, CompletedShard shard, FlushTools tools) {
        this.lane = lane;
        this.pipeline = pipeline;
        this.shard = shard;
        this.tools = tools;
        walk = new HeaviestGroups.Walk(pipeline.name());
        start();
    }

    private void start() {
        stage = lane.writesShards() ? Stage.BEGINNING : Stage.WRITING;
        rewind();
        kept = pipeline.isVerified() ? new ArrayList<>() : null;
        writing = null;
        write = null;
        check = null;
        rowsWritten = 0;
    }

    private void rewind() {
        maker = lane.writesShards() ? new SortedRows(this::pass, SortedRows.SELECTED_MAX) : pass();
        made = 0;
        hasMore = true;
    }

    /** Returns the rows from the first. Only the first pass reports rows left out. */
    private RowSource pass() {
        List<Row> rows = shard.rows(pipeline.ordinal());
        RowMaker.Listener listener = isWalked ? RowMaker.Listener.NONE : new FirstWalk();
        isWalked = true;
        return rows != null
                ? new ListedRows(rows)
                : new RowMaker(pipeline, shard.groups(pipeline.ordinal()), shard.timeMs(), listener);
    }

    StoreLane lane() {
        return lane;
    }

    /** Returns whether the store acknowledged all rows. */
    boolean isFlushed() {
        return stage == Stage.VERIFYING || stage == Stage.DONE;
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
        if (!lane.isFreeFor(this)) {
            return false;
        }
        return switch (stage) {
            case BEGINNING -> begin();
            case WRITING -> write();
            case COMMITTING -> commit();
            case VERIFYING -> verify();
            case DONE -> false;
        };
    }

    /** Gives up the shard, if open at the store. */
    void giveUp() {
        if (stage == Stage.WRITING || stage == Stage.COMMITTING) {
            endShard();
        }
        stage = Stage.DONE;
    }

    private void endShard() {
        if (lane.writesShards()) {
            lane.abort();
        }
    }

    private boolean begin() {
        ShardWrite identity = lane.isOpen() ? tools.shardWrite(pipeline, shard).orElse(null) : null;
        if (identity == null) {
            return false;
        }
        version = identity.version();
        if (lane.begin(this, identity)) {
            stage = Stage.WRITING;
        }
        return true;
    }

    private boolean commit() {
        if (lane.commit()) {
            endWriting();
        } else {
            start();
        }
        return true;
    }

    private boolean write() {
        if (write == null) {
            makeWrite();
            return true;
        }
        boolean hasWorked = write.isDone() || write.step();
        if (lane.isBroken()) {
            endShard();
            start();
        } else if (write.isDone()) {
            endWrite();
        }
        return hasWorked;
    }

    private void makeWrite() {
        if (hasMore) {
            placeOfWritten = made;
            writing = nextRows(ROWS_WRITTEN);
            write = new StoreWrite(lane, writing, this::toLetters, tools.counters());
        } else if (lane.writesShards()) {
            stage = Stage.COMMITTING;
        } else {
            endWriting();
        }
    }

    /** Returns the next rows without the rows known to be bad. */
    private List<Row> nextRows(int wanted) {
        List<Row> rows = new ArrayList<>();
        hasMore = maker.fill(rows, wanted);
        int first = made;
        made += rows.size();
        int firstRefused = refused.nextSetBit(first);
        if (firstRefused < 0 || firstRefused >= made) {
            return rows;
        }
        List<Row> good = new ArrayList<>(rows.size());
        for (int i = 0; i < rows.size(); i++) {
            if (!refused.get(first + i)) {
                good.add(rows.get(i));
            }
        }
        return good;
    }

    private void endWriting() {
        tools.heaviest().end(shard, walk); // repeated with the same result for each store of the pipeline
        if (!pipeline.isVerified() || rowsWritten == 0) {
            stage = Stage.DONE;
            return;
        }
        stage = Stage.VERIFYING;
        if (kept != null) {
            check = new RowCheck(lane, kept, version, this::toLetters, tools);
            kept = null;
            return;
        }
        rewind();
    }

    private void endWrite() {
        keep();
        rowsWritten += write.count() - write.refused().cardinality();
        // indexes of the written rows skip the rows refused before
        int place = placeOfWritten;
        for (int i = 0; i < write.count(); i++, place++) {
            place = refused.nextClearBit(place);
            if (write.refused().get(i)) {
                refused.set(place);
            }
        }
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
        } else if (check.isLost()) {
            start();
        }
        return hasWorked;
    }

    private void makeCheck() {
        if (!hasMore) {
            stage = Stage.DONE;
            return;
        }
        check = new RowCheck(lane, nextRows(ROWS_VERIFIED), version, this::toLetters, tools);
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
