package io.chimera.queue;

import io.chimera.common.agent.Clock;
import io.chimera.common.channel.Listeners;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.plugin.PluginHost;
import org.agrona.ErrorHandler;

/**
 * Environment of a queue node: the real world or a simulation.
 *
 * @param clock clock of the node
 * @param cluster the coordinator; not closed by the node
 * @param ports ports of the node
 * @param counters all counters of the node
 * @param errors receives exceptions of agents
 * @param plugins plugins of the node; not closed by the node
 */
public record QueueEnvironment(
        Clock clock,
        Cluster cluster,
        QueuePorts ports,
        Counters<QueueCounter> counters,
        ErrorHandler errors,
        PluginHost plugins) {
    /** Ports of the inputs. */
    Listeners listeners() {
        return ports.listeners();
    }

    /** Returns the same environment with another view of the cluster. */
    QueueEnvironment with(Cluster other) {
        return new QueueEnvironment(clock, other, ports, counters, errors, plugins);
    }

    /** Returns the same environment with other ports of the inputs. */
    QueueEnvironment with(Listeners listeners) {
        QueuePorts other = new QueuePorts(ports.transport(), listeners, ports.access());
        return new QueueEnvironment(clock, cluster, other, counters, errors, plugins);
    }
}
