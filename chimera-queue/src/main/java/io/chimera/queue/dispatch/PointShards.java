package io.chimera.queue.dispatch;

import io.chimera.api.HotPath;
import java.util.Arrays;

/**
 * The shards that one point goes to, each once: that of its group, or those of its keys. Kept until it is on its way to all of them.
 * The channel manager's thread.
 */
final class PointShards {
    private int[] shards = new int[8];
    private int count;
    private int next;

    PointShards() {}

    @HotPath
    void clear() {
        count = 0;
        next = 0;
    }

    /** Adds a shard, unless it is there, or is {@link Route#NO_SHARD}. */
    @HotPath
    void add(int shard) {
        if (shard == Route.NO_SHARD) {
            return;
        }
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

    /** It is on its way to that one. */
    @HotPath
    void sent() {
        next++;
    }
}
