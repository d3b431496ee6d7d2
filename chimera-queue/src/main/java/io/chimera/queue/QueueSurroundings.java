package io.chimera.queue;

import io.chimera.common.access.AccessControl;
import io.chimera.common.agent.Clock;
import io.chimera.common.channel.Listeners;
import io.chimera.common.channel.Transport;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.plugin.PluginHost;
import org.agrona.ErrorHandler;

/**
 * What a queue node lives in: the real world, or that of a simulation.
 *
 * @param clock time
 * @param cluster the coordinator; not closed by the node
 * @param transport the channels; not closed by the node
 * @param listeners the inputs' ports; closed by the node, before it stops journaling
 * @param counters all counters of the node
 * @param errors hears what agents throw
 * @param plugins the node's plugins; not closed by the node
 * @param access who may send to the inputs
 */
public record QueueSurroundings(
        Clock clock,
        Cluster cluster,
        Transport transport,
        Listeners listeners,
        Counters<QueueCounter> counters,
        ErrorHandler errors,
        PluginHost plugins,
        AccessControl access) {
    /** Surroundings in which everybody may send. */
    public QueueSurroundings(
            Clock clock,
            Cluster cluster,
            Transport transport,
            Listeners listeners,
            Counters<QueueCounter> counters,
            ErrorHandler errors,
            PluginHost plugins) {
        this(clock, cluster, transport, listeners, counters, errors, plugins, AccessControl.open(clock));
    }

    /** The same with another view of the cluster. */
    QueueSurroundings with(Cluster other) {
        return new QueueSurroundings(clock, other, transport, listeners, counters, errors, plugins, access);
    }

    /** The same with other ports. */
    QueueSurroundings with(Listeners ports) {
        return new QueueSurroundings(clock, cluster, transport, ports, counters, errors, plugins, access);
    }
}
