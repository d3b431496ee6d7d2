package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import io.chimera.processor.NamedStore;
import io.chimera.processor.Pipeline;
import io.chimera.processor.WholeShard;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The flush of one whole shard: pipeline by pipeline, batch by batch, store by store. The flusher's thread. */
final class ShardFlush {
    /** Rows in hand at one time: what a store takes in one batch by default. At 300 bytes 3 MB. */
    private static final int ROWS_IN_HAND = 10_000;

    private final WholeShard shard;
    private final Surroundings surroundings;
    private final ArrayDeque<Pipeline> pipelines;
    private final ArrayDeque<StoreWrite> writes = new ArrayDeque<>();
    private RowMaker maker;
    private Pipeline pipeline;
    private long rowsWritten;

    /** Makes what a flush needs of its surroundings. */
    interface Surroundings {
        RowMaker maker(Pipeline pipeline, WholeShard shard);

        StoreWrite write(NamedStore store, Pipeline pipeline, List<Row> rows);
    }

    ShardFlush(WholeShard shard, List<Pipeline> pipelines, Surroundings surroundings) {
        this.shard = shard;
        this.pipelines = new ArrayDeque<>(pipelines);
        this.surroundings = surroundings;
    }

    WholeShard shard() {
        return shard;
    }

    /** Rows that stores acknowledged: with two stores each row counts twice. */
    long rowsWritten() {
        return rowsWritten;
    }

    boolean isDone() {
        return writes.isEmpty() && maker == null && pipelines.isEmpty();
    }

    /** Does the next piece of work; false when a store has to be waited for. */
    boolean step() {
        if (writes.isEmpty()) {
            makeRows();
            return true;
        }
        StoreWrite write = writes.peek();
        boolean hasWorked = write.isDone() || write.step();
        if (write.isDone()) {
            rowsWritten += write.written();
            writes.poll();
        }
        return hasWorked;
    }

    private void makeRows() {
        if (maker == null) {
            pipeline = pipelines.poll();
            if (pipeline == null || pipeline.stores().isEmpty()) {
                return;
            }
            maker = surroundings.maker(pipeline, shard);
        }
        List<Row> rows = new ArrayList<>();
        boolean hasMore = maker.fill(rows, ROWS_IN_HAND);
        for (NamedStore store : pipeline.stores()) {
            writes.add(surroundings.write(store, pipeline, rows));
        }
        maker = hasMore ? maker : null;
    }
}
