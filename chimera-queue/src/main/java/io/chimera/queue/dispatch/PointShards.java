package io.chimera.queue.dispatch;

import io.chimera.api.HotPath;
import io.chimera.common.wire.Slice;
import java.util.Arrays;

/**
 * The shards that one point goes to, each once: that of its group, or those of its keys. Kept until it is on its way to all of them.
 * The channel manager's thread.
 */
final class PointShards {
    private int[] shards = new int[8];
    private int count;
    private int next;

    /** By group or key: its shard, and its key in the slices of that shard. */
    private int[] places = new int[16];

    private int placeCount;

    PointShards() {}

    @HotPath
    void clear() {
        count = 0;
        next = 0;
        placeCount = 0;
    }

    /** Adds a shard, unless it is there, or is {@link Route#NO_SHARD}. */
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

    /** Whether there is one that it was not sent to. */
    @HotPath
    boolean hasNext() {
        return next < count;
    }

    /** The first that it was not sent to. */
    @HotPath
    int next() {
        return shards[next];
    }

    /** Whether the point belongs to a slice of {@link #next}: by one key or another. */
    @HotPath
    boolean isIn(Slice slice) {
        for (int i = 0; i < placeCount; i++) {
            if (places[2 * i] == shards[next] && slice.has(places[2 * i + 1])) {
                return true;
            }
        }
        return false;
    }

    /** Whether a slice of {@link #next} has the first key that the point has there: the one slice in which it may be primary. */
    @HotPath
    boolean isFirstIn(Slice slice) {
        for (int i = 0; i < placeCount; i++) {
            if (places[2 * i] == shards[next]) {
                return slice.has(places[2 * i + 1]);
            }
        }
        return false;
    }

    /** It is on its way to that one. */
    @HotPath
    void sent() {
        next++;
    }
}
