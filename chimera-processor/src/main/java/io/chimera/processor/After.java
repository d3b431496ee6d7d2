package io.chimera.processor;

import io.chimera.common.composition.CompositionPlan;
import io.chimera.common.composition.CompositionPlanner;
import io.chimera.common.composition.ShardKeys;
import io.chimera.common.composition.TransformTypes;
import io.chimera.common.config.AfterConfig;
import java.util.BitSet;

/** The composition of a pipeline behind the shard: each is one of its own, for it has states of its own. Immutable. */
public final class After {
    private final CompositionPlan plan;
    private final ShardKeys keys;
    private final long horizonMs;

    private After(CompositionPlan plan, ShardKeys keys, long horizonMs) {
        this.plan = plan;
        this.keys = keys;
        this.horizonMs = horizonMs;
    }

    /** A composition. */
    public static After of(AfterConfig config, TransformTypes types) {
        CompositionPlan plan = CompositionPlanner.after(config, types);
        ShardKeys keys = config.keys().isEmpty() ? null : new ShardKeys(config.keys(), plan.partitions());
        return new After(plan, keys, plan.horizon().toMillis());
    }

    /** How the blocks are put together. */
    public CompositionPlan plan() {
        return plan;
    }

    /** By which points are spread over partitions; null where it is the group that decides. */
    public ShardKeys keys() {
        return keys;
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
