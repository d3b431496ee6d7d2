package io.chimera.queue.dispatch;

import io.chimera.api.HotPath;
import io.chimera.common.wire.Slice;
import java.util.Arrays;

/**
 * Distinct shards of one point: the shard of its group, or the shards of its keys. Kept until the point is sent to all
 * shards. The channel manager's thread.
 */
final class PointShards {
    private int[] shards = new int[8];
    private int count;
    private int next;

    /** Pairs of shard and slice key, one pair per group or key. */
    private int[] places = new int[16];

    private int placeCount;

    PointShards() {}

    @HotPath
    void clear() {
        count = 0;
        next = 0;
        placeCount = 0;
    }

    /** Adds a shard, unless the shard is already present or is {@link Route#NO_SHARD}. */
    @HotPath
    void add(int shard, int sliceKey) {
        if (shard == Route.NO_SHARD) {
            return;
        }
        if (2 * placeCount == places.length) {
            places = Arrays.copyOf(places, 4 * placeCount);
        }
        places[2 * placeCount] = shard;
        places[2 * placeCount++ + 1] = sliceKey;
        for (int i = 0; i < count; i++) {
            if (shards[i] == shard) {
                return;
            }
        }
        if (count == shards.length) {
            shards = Arrays.copyOf(shards, 2 * count);
        }
        shards[count++] = shard;
    }

    /** Whether a shard is left to send to. */
    @HotPath
    boolean hasNext() {
        return next < count;
    }

    /** The first shard left to send to. */
    @HotPath
    int next() {
        return shards[next];
    }

    /** Whether the point belongs to a slice of {@link #next}, by any key. */
    @HotPath
    boolean isIn(Slice slice) {
        for (int i = 0; i < placeCount; i++) {
            if (places[2 * i] == shards[next] && slice.has(places[2 * i + 1])) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a slice of {@link #next} contains the first key of the point in this shard. Only in this slice the point
     * may be primary.
     */
    @HotPath
    boolean isFirstIn(Slice slice) {
        for (int i = 0; i < placeCount; i++) {
            if (places[2 * i] == shards[next]) {
                return slice.has(places[2 * i + 1]);
            }
        }
        return false;
    }

    /** Marks {@link #next} as sent. */
    @HotPath
    void sent() {
        next++;
    }
}
