package io.chimera.processor.staging;

import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.processor.pipeline.CompletedShard;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.processor.pipeline.Sender;
import io.chimera.processor.staging.composer.PastCycleRequests;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.agrona.ErrorHandler;

/**
 * Connections of staging to the rest of the node.
 *
 * @param session of this processor
 * @param clock time
 * @param cluster the view
 * @param ring the extractor's slots, each with a frame and its {@link Sender}
 * @param senders finds the connection of a queue node by its session; null if absent
 * @param flusher takes a whole shard for the first composer or the flusher; false when the queue is full
 * @param flushed gives back a finished shard; null if absent
 * @param desks requests of the composers for past cycles; a new list after every change of the composers
 * @param makeRoom makes composers give back shards not composed yet, of cycles after a cycle
 * @param retired receives retired pipelines after their last shard has returned
 * @param counters of the node
 * @param errors receives exceptions of plugins
 */
public record StagingPorts(
        long session,
        Clock clock,
        Cluster cluster,
        BatchRing ring,
        LongFunction<Sender> senders,
        Predicate<CompletedShard> flusher,
        Supplier<CompletedShard> flushed,
        Supplier<List<PastCycleRequests>> desks,
        LongConsumer makeRoom,
        Consumer<List<Pipeline>> retired,
        Counters<ProcessorCounter> counters,
        ErrorHandler errors) {}
