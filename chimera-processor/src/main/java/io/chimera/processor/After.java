package io.chimera.processor;

import io.chimera.common.composition.CompositionPlan;
import io.chimera.common.composition.CompositionPlanner;
import io.chimera.common.composition.ShardKeys;
import io.chimera.common.composition.TransformTypes;
import io.chimera.common.config.AfterConfig;
import java.util.BitSet;

/**
 * The composition of a pipeline behind the shard.
 *
 * @param plan how the blocks are put together
 * @param keys by which points are spread over partitions; null where it is the group that decides
 * @param horizonMs how far back in time the state of any block reaches by what comes to it through the others; 0 for no state
 */
public record After(CompositionPlan plan, ShardKeys keys, long horizonMs) {
    /** A composition. */
    public static After of(AfterConfig config, TransformTypes types) {
        CompositionPlan plan = CompositionPlanner.after(config, types);
        ShardKeys keys = config.keys().isEmpty() ? null : new ShardKeys(config.keys(), plan.partitions());
        return new After(plan, keys, plan.horizon().toMillis());
    }

    /** Whether any block keeps state. */
    public boolean hasState() {
        return horizonMs > 0;
    }

    /** Number of partitions of the keys. */
    public int partitions() {
        return plan.partitions();
    }

    /** The partitions of a shard: those that are equal to it modulo the number of shards. */
    public BitSet partitionsOf(int shard, int shards) {
        BitSet all = new BitSet(partitions());
        for (int partition = shard; partition < partitions(); partition += shards) {
            all.set(partition);
        }
        return all;
    }
}
