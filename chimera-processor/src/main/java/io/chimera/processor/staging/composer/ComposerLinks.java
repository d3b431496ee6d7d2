package io.chimera.processor.staging.composer;

import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.processor.WholeShard;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.agrona.ErrorHandler;

/**
 * What a composer is wired to.
 *
 * @param session of this processor
 * @param clock time
 * @param cluster the view
 * @param whole gives the next shard; null when there is none
 * @param composed takes a shard whose composition has run; false when it has no room now
 * @param flushed gives back a shard that is done with; null when there is none
 * @param home takes it back; false when it has no room now
 * @param desk where past cycles come from
 * @param requests numbers those for past cycles, of all composers of the processor
 * @param threads new ones for the queued blocks of a composition; null to run all on the composer's
 * @param counters of the node
 * @param errors hears what blocks throw
 */
public record ComposerLinks(
        long session,
        Clock clock,
        Cluster cluster,
        Supplier<WholeShard> whole,
        Predicate<WholeShard> composed,
        Supplier<WholeShard> flushed,
        Predicate<WholeShard> home,
        PastDesk desk,
        IntSupplier requests,
        Supplier<AgentThreads> threads,
        Counters<ProcessorCounter> counters,
        ErrorHandler errors) {}
