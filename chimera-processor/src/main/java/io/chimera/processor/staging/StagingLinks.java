package io.chimera.processor.staging;

import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.processor.Pipeline;
import io.chimera.processor.Sender;
import io.chimera.processor.WholeShard;
import io.chimera.processor.staging.composer.PastDesk;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.agrona.ErrorHandler;

/**
 * What staging is wired to.
 *
 * @param session of this processor
 * @param clock time
 * @param cluster the view
 * @param ring the extractor's slots, each with a frame and its {@link Sender}
 * @param senders the connection of a queue node by its session; null when there is none
 * @param flusher takes a whole shard, or the first composer does; false when it has no room now
 * @param flushed gives back a shard that is done with; null when there is none
 * @param desks where composers ask for past cycles; another list whenever there are other composers
 * @param makeRoom makes composers give back the shards of cycles after one that they have not composed
 * @param retired is told of pipelines that were let go of, when none of their shards is on its way any more
 * @param counters of the node
 * @param errors hears what plugins throw
 */
public record StagingLinks(
        long session,
        Clock clock,
        Cluster cluster,
        BatchRing ring,
        LongFunction<Sender> senders,
        Predicate<WholeShard> flusher,
        Supplier<WholeShard> flushed,
        Supplier<List<PastDesk>> desks,
        LongConsumer makeRoom,
        Consumer<List<Pipeline>> retired,
        Counters<ProcessorCounter> counters,
        ErrorHandler errors) {}
