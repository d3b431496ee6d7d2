package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.processor.pipeline.CompletedShard;
import io.chimera.processor.pipeline.Pipeline;
import org.agrona.ErrorHandler;

/**
 * Dependencies shared by all flushes.
 *
 * @param clock time
 * @param letters takes rows that cannot be stored
 * @param counters of the node
 * @param errors receives exceptions of plugins, and reports of rows with wrong stored values
 * @param heaviest finds the heaviest groups
 */
record FlushTools(
        Clock clock,
        RowLetters letters,
        Counters<ProcessorCounter> counters,
        ErrorHandler errors,
        HeaviestGroups heaviest) {
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
