package io.chimera.processor.staging.composer;

import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.processor.pipeline.CompletedShard;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.agrona.ErrorHandler;

/**
 * Connections of a composer to the rest of the node.
 *
 * @param session of this processor
 * @param clock time
 * @param cluster the view
 * @param whole gives the next shard; null if absent
 * @param composed takes a composed shard; false when its queue is full
 * @param flushed gives back a flushed shard; null if absent
 * @param home takes a returned shard; false when its queue is full
 * @param desk requests for past cycles
 * @param requests numbers the requests for past cycles of all composers of the processor
 * @param threads threads for the queued blocks of a composition; null to run all blocks on the composer's thread
 * @param counters of the node
 * @param errors receives exceptions of blocks
 */
public record ComposerPorts(
        long session,
        Clock clock,
        Cluster cluster,
        Supplier<CompletedShard> whole,
        Predicate<CompletedShard> composed,
        Supplier<CompletedShard> flushed,
        Predicate<CompletedShard> home,
        PastCycleRequests desk,
        IntSupplier requests,
        Supplier<AgentThreads> threads,
        Counters<ProcessorCounter> counters,
        ErrorHandler errors) {}
