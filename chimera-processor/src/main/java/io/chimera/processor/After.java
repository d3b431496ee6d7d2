package io.chimera.processor;

import io.chimera.common.composition.CompositionPlan;
import java.util.BitSet;

/**
 * The composition of a pipeline behind the shard.
 *
 * @param plan how the blocks are put together
 * @param horizonMs how far back in time the state of any block reaches by what comes to it through the others; 0 for no state
 */
public record After(CompositionPlan plan, long horizonMs) {
    /** A composition. */
    public static After of(CompositionPlan plan) {
        return new After(plan, plan.horizon().toMillis());
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
