package io.chimera.processor;

import io.chimera.common.agent.Clock;
import io.chimera.common.channel.Transport;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.plugin.PluginHost;
import org.agrona.ErrorHandler;

/**
 * Environment of a processor: the real world or a simulation.
 *
 * @param clock time
 * @param cluster the coordinator; not closed by the node
 * @param transport the channels; not closed by the node
 * @param counters all counters of the node
 * @param errors receives exceptions of agents and plugins
 * @param plugins the node's plugins; not closed by the node
 */
public record ProcessorEnvironment(
        Clock clock,
        Cluster cluster,
        Transport transport,
        Counters<ProcessorCounter> counters,
        ErrorHandler errors,
        PluginHost plugins) {}
