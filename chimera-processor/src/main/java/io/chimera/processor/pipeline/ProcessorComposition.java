package io.chimera.processor.pipeline;

import io.chimera.common.composition.CompositionPlan;
import io.chimera.common.composition.CompositionPlanner;
import io.chimera.common.composition.ShardKeys;
import io.chimera.common.composition.TransformTypes;
import io.chimera.common.config.pipeline.AfterConfig;
import java.util.BitSet;

/**
 * Composition of a pipeline after the shard. Each instance owns the state of its blocks, so instances are compared by
 * identity. Immutable.
 */
public final class ProcessorComposition {
    private final CompositionPlan plan;
    private final ShardKeys keys;
    private final long horizonMs;

    private ProcessorComposition(CompositionPlan plan, ShardKeys keys, long horizonMs) {
        this.plan = plan;
        this.keys = keys;
        this.horizonMs = horizonMs;
    }

    /** Plans the composition of a configuration. */
    public static ProcessorComposition of(AfterConfig config, TransformTypes types) {
        CompositionPlan plan = CompositionPlanner.after(config, types);
        ShardKeys keys = config.keys().isEmpty() ? null : new ShardKeys(config.keys(), plan.partitions());
        return new ProcessorComposition(plan, keys, plan.horizon().toMillis());
    }

    /** Returns the plan of the blocks. */
    public CompositionPlan plan() {
        return plan;
    }

    /** Returns the keys for spreading points over partitions; null when the group key decides. */
    public ShardKeys keys() {
        return keys;
    }

    /**
     * Returns the horizon in milliseconds: how far back the state of any block reaches, including points that arrive
     * through other blocks; 0 without state.
     */
    public long horizonMs() {
        return horizonMs;
    }

    /** Returns whether any block keeps state. */
    public boolean hasState() {
        return horizonMs > 0;
    }

    /** Returns the number of partitions of the keys. */
    public int partitions() {
        return plan.partitions();
    }

    /** Returns the partitions of a shard: all partitions equal to the shard modulo the number of shards. */
    public BitSet partitionsOf(int shard, int shards) {
        BitSet all = new BitSet(partitions());
        for (int partition = shard; partition < partitions(); partition += shards) {
            all.set(partition);
        }
        return all;
    }
}
