package io.chimera.common.channel.netty.node;

import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import org.agrona.ErrorHandler;

/**
 * Shared state of the framed connections of one node.
 *
 * @param errors handler of failures inside connection handlers
 */
public record NodePort(Counters<ChannelCounter> counters, ErrorHandler errors, PeerWatch.Timing timing) {}
