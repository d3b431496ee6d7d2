package io.chimera.processor.flusher;

import io.chimera.processor.Pipeline;
import io.chimera.processor.WholeShard;
import java.util.ArrayList;
import java.util.List;

/** The flush of one whole shard: of each pipeline to each of its stores, all independent of one another. */
final class ShardFlush {
    private final WholeShard shard;
    private final List<StoreFlush> flushes = new ArrayList<>();
    private boolean isVerified;
    private boolean isFlushed;

    /** Finds the lane of a store. */
    interface Lanes {
        StoreLane of(String store);
    }

    ShardFlush(WholeShard shard, Lanes lanes, FlushTools tools) {
        this.shard = shard;
        for (Pipeline pipeline : shard.pipelines()) {
            pipeline.stores()
                    .forEach(store -> flushes.add(new StoreFlush(lanes.of(store.name()), pipeline, shard, tools)));
            isVerified |= pipeline.isVerified();
        }
    }

    WholeShard shard() {
        return shard;
    }

    /** Rows that stores acknowledged: with two stores each row counts twice. */
    long rowsWritten() {
        return flushes.stream().mapToLong(StoreFlush::rowsWritten).sum();
    }

    /** Looks whether the stores have acknowledged all rows by now; true once. */
    boolean becomesFlushed() {
        boolean was = isFlushed;
        isFlushed = was || flushes.stream().allMatch(StoreFlush::isFlushed);
        return isFlushed && !was;
    }

    /** Whether the stores had acknowledged all rows when that was looked at last. */
    boolean isFlushed() {
        return isFlushed;
    }

    /** Whether a pipeline wants its rows read back. */
    boolean isVerified() {
        return isVerified;
    }

    boolean isDone() {
        return flushes.stream().allMatch(StoreFlush::isDone);
    }

    /** Does the next piece of work on the way to one store; false when there is none, or the store has to be waited for. */
    boolean step(StoreLane lane) {
        int first = flushes.isEmpty() ? 0 : lane.turn(flushes.size());
        for (int i = 0; i < flushes.size(); i++) {
            StoreFlush flush = flushes.get((first + i) % flushes.size());
            if (flush.lane() == lane && flush.step()) {
                return true;
            }
        }
        return false;
    }

    /** Why rows of the shard wait for a decision on the way to a store; null when none do. */
    StoreLane.Held held(StoreLane lane) {
        StoreLane.Held held = null;
        for (int i = 0; i < flushes.size() && held == null; i++) {
            held = flushes.get(i).lane() == lane ? flushes.get(i).held() : null;
        }
        return held;
    }
}
