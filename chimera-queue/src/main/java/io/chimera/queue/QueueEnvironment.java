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
 * Environment of a queue node: the real world or a simulation.
 *
 * @param clock clock of the node
 * @param cluster the coordinator; not closed by the node
 * @param transport the channels; not closed by the node
 * @param listeners ports of the inputs; closed by the node before the end of journaling
 * @param counters all counters of the node
 * @param errors receives exceptions of agents
 * @param plugins plugins of the node; not closed by the node
 * @param access access control of the inputs
 */
public record QueueEnvironment(
        Clock clock,
        Cluster cluster,
        Transport transport,
        Listeners listeners,
        Counters<QueueCounter> counters,
        ErrorHandler errors,
        PluginHost plugins,
        AccessControl access) {
    /** Creates an environment with unrestricted access to the inputs. */
    public QueueEnvironment(
            Clock clock,
            Cluster cluster,
            Transport transport,
            Listeners listeners,
            Counters<QueueCounter> counters,
            ErrorHandler errors,
            PluginHost plugins) {
        this(clock, cluster, transport, listeners, counters, errors, plugins, AccessControl.open(clock));
    }

    /** Returns the same environment with another view of the cluster. */
    QueueEnvironment with(Cluster other) {
        return new QueueEnvironment(clock, other, transport, listeners, counters, errors, plugins, access);
    }

    /** Returns the same environment with other ports. */
    QueueEnvironment with(Listeners ports) {
        return new QueueEnvironment(clock, cluster, transport, ports, counters, errors, plugins, access);
    }
}
