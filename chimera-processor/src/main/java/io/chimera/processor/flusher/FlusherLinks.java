package io.chimera.processor.flusher;

import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.processor.WholeShard;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.agrona.ErrorHandler;

/**
 * What the flusher is wired to.
 *
 * @param session of this processor
 * @param clock time
 * @param cluster the view, and where commits go
 * @param whole gives the next whole shard; null when there is none
 * @param flushed takes back a shard that is done with; false when it has no room now
 * @param counters of the node
 * @param errors hears what plugins throw
 */
public record FlusherLinks(
        long session,
        Clock clock,
        Cluster cluster,
        Supplier<WholeShard> whole,
        Predicate<WholeShard> flushed,
        Counters<ProcessorCounter> counters,
        ErrorHandler errors) {}
