package io.chimera.processor.flusher;

import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.processor.pipeline.CompletedShard;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.agrona.ErrorHandler;

/**
 * Connections of the flusher to the rest of the node.
 *
 * @param session of this processor
 * @param clock time
 * @param cluster source of the view and destination of commits
 * @param whole gives the next whole shard; null if absent
 * @param flushed takes back a finished shard; false when its queue is full
 * @param counters of the node
 * @param errors receives exceptions of plugins
 */
public record FlusherPorts(
        long session,
        Clock clock,
        Cluster cluster,
        Supplier<CompletedShard> whole,
        Predicate<CompletedShard> flushed,
        Counters<ProcessorCounter> counters,
        ErrorHandler errors) {}
