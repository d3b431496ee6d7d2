package io.chimera.processor.flusher;

import io.chimera.api.model.CycleNumber;
import io.chimera.api.model.PipelineName;
import io.chimera.api.model.PipelinesDigest;
import io.chimera.api.model.Row;
import io.chimera.api.model.ShardIndex;
import io.chimera.api.model.SliceIndex;
import io.chimera.api.spi.ShardWrite;
import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.processor.pipeline.CompletedShard;
import io.chimera.processor.pipeline.Pipeline;
import java.util.Optional;
import org.agrona.ErrorHandler;

/**
 * Dependencies shared by all flushes.
 *
 * @param clock time
 * @param cluster source of the view
 * @param letters takes rows that cannot be stored
 * @param counters of the node
 * @param errors receives exceptions of plugins, and reports of rows with wrong stored values
 * @param heaviest finds the heaviest groups
 */
record FlushTools(
        Clock clock,
        Cluster cluster,
        RowLetters letters,
        Counters<ProcessorCounter> counters,
        ErrorHandler errors,
        HeaviestGroups heaviest) {
    /** Returns the identity of the rows of a pipeline of a shard; empty when the cycle is no longer open. */
    Optional<ShardWrite> shardWrite(Pipeline pipeline, CompletedShard shard) {
        return cluster.view().open(shard.cycle()).map(open -> shardWrite(pipeline, shard, open));
    }

    private static ShardWrite shardWrite(Pipeline pipeline, CompletedShard shard, OpenCycle open) {
        return new ShardWrite(
                new CycleNumber(shard.cycle()),
                open.cycle()
                        .replay()
                        .map(replay -> new CycleNumber(replay.cycle()))
                        .orElse(null),
                shard.timeMs(),
                new PipelineName(pipeline.name()),
                new ShardIndex(shard.shard(), open.cycle().shards()),
                new SliceIndex(shard.slice().index(), shard.slice().count()),
                open.assignment().version(),
                new PipelinesDigest(shard.digest().text()));
    }

    void onNotFinite() {
        counters.increment(ProcessorCounter.FLUSHER_ROWS_NOT_FINITE);
    }

    void onFailed(Pipeline pipeline, CompletedShard shard, Row row, Throwable reason) {
        counters.increment(ProcessorCounter.FLUSHER_ROWS_FAILED);
        errors.onError(new ChimeraException(
                ChimeraException.Category.ERROR,
                "An aggregator of pipeline " + pipeline.name() + " failed to compute a result: " + reason + ". Row "
                        + row.metric() + " of cycle " + shard.cycle()
                        + " is written to the dead letters. Correct the plugin.",
                reason));
    }
}
