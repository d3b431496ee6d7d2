package io.chimera.processor;

import io.chimera.common.composition.CompositionPlan;
import java.util.BitSet;

/** The composition of a pipeline behind the shard: each is one of its own, for it has states of its own. Immutable. */
public final class After {
    private final CompositionPlan plan;
    private final long horizonMs;

    private After(CompositionPlan plan, long horizonMs) {
        this.plan = plan;
        this.horizonMs = horizonMs;
    }

    /** A composition. */
    public static After of(CompositionPlan plan) {
        return new After(plan, plan.horizon().toMillis());
    }

    /** How the blocks are put together. */
    public CompositionPlan plan() {
        return plan;
    }

    /** How far back in time the state of any block reaches by what comes to it through the others; 0 for no state. */
    public long horizonMs() {
        return horizonMs;
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
