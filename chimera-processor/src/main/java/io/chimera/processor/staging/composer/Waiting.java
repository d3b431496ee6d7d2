package io.chimera.processor.staging.composer;

import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.Replay;
import io.chimera.common.wire.Slice;
import io.chimera.processor.pipeline.ProcessorComposition;
import java.util.BitSet;

/**
 * A shard that waits for its composition.
 *
 * @param shard the shard
 * @param cycle its cycle
 * @param pipeline ordinal of the pipeline among the pipelines of the shard
 * @param partitions partitions of the slice of the shard
 */
record Waiting(ComposableShard shard, Cycle cycle, int pipeline, BitSet partitions) {
    static Waiting of(ComposableShard shard, Cycle cycle, ProcessorComposition after) {
        Slice slice = shard.slice(); // slice i of k of shard s of M is shard s + M * i of M * k
        BitSet partitions =
                after.partitionsOf(shard.shard() + cycle.shards() * slice.index(), cycle.shards() * slice.count());
        return new Waiting(shard, cycle, shard.ordinalOf(after), partitions);
    }

    boolean isReplay() {
        return cycle.replay().isPresent();
    }

    /** Returns the number of the live cycle with the same content: for a replay cycle the repeated cycle. */
    long content() {
        return cycle.replay().map(Replay::cycle).orElse(cycle.number());
    }

    /**
     * Returns whether this shard runs before another: live cycles run before replay cycles, older cycles before newer.
     */
    boolean isBefore(Waiting other) {
        return cycle.number() != other.cycle.number()
                ? cycle.number() < other.cycle.number()
                : shard.shard() < other.shard.shard();
    }
}
