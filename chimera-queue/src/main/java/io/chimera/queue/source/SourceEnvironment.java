package io.chimera.queue.source;

import io.chimera.common.agent.Clock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.queue.source.reject.DeadLetters;
import org.agrona.ErrorHandler;

/**
 * Environment of the inputs of a node.
 *
 * @param ring ring for the records
 * @param deadLetters receives rejected points
 * @param counters counters of the node
 * @param clock clock of the node
 * @param errors receives errors of the node
 */
public record SourceEnvironment(
        BatchRing ring, DeadLetters deadLetters, Counters<QueueCounter> counters, Clock clock, ErrorHandler errors) {}
