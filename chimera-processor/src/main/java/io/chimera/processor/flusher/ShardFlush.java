package io.chimera.processor.flusher;

import io.chimera.processor.pipeline.CompletedShard;
import io.chimera.processor.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.List;

/** Flush of a whole shard: an independent flush of each pipeline to each of its stores. */
final class ShardFlush {
    private final CompletedShard shard;
    private final List<StoreFlush> flushes = new ArrayList<>();
    private boolean isVerified;
    private boolean isFlushed;

    interface Lanes {
        StoreLane of(String store);
    }

    ShardFlush(CompletedShard shard, Lanes lanes, FlushTools tools) {
        this.shard = shard;
        for (Pipeline pipeline : shard.pipelines()) {
            pipeline.stores()
                    .forEach(store -> flushes.add(new StoreFlush(lanes.of(store.name()), pipeline, shard, tools)));
            isVerified |= pipeline.isVerified();
        }
    }

    CompletedShard shard() {
        return shard;
    }

    /** Returns the number of acknowledged rows; with two stores each row counts twice. */
    long rowsWritten() {
        return flushes.stream().mapToLong(StoreFlush::rowsWritten).sum();
    }

    /** Updates whether the stores have acknowledged all rows; returns true only on the transition. */
    boolean becomesFlushed() {
        boolean was = isFlushed;
        isFlushed = was || flushes.stream().allMatch(StoreFlush::isFlushed);
        return isFlushed && !was;
    }

    /** Returns whether the stores had acknowledged all rows at the last {@link #becomesFlushed}. */
    boolean isFlushed() {
        return isFlushed;
    }

    /** Returns whether a pipeline reads its rows back. */
    boolean isVerified() {
        return isVerified;
    }

    boolean isDone() {
        return flushes.stream().allMatch(StoreFlush::isDone);
    }

    /** Does the next piece of work for a store; false when there is no work, or while waiting for the store. */
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

    /** Gives up the shard, so that no open shard of a store becomes visible later. */
    void giveUp() {
        flushes.forEach(StoreFlush::giveUp);
    }

    /** Returns the reason why rows of the shard wait for a decision at a store; null when none do. */
    StoreLane.Held held(StoreLane lane) {
        StoreLane.Held held = null;
        for (int i = 0; i < flushes.size() && held == null; i++) {
            held = flushes.get(i).lane() == lane ? flushes.get(i).held() : null;
        }
        return held;
    }
}
