package io.chimera.queue;

import io.chimera.common.access.AccessControl;
import io.chimera.common.agent.Clock;
import io.chimera.common.channel.Listeners;
import io.chimera.common.channel.Transport;

/**
 * Ports of a queue node.
 *
 * @param transport the channels to other nodes; not closed by the node
 * @param listeners ports of the inputs; closed by the node before the end of journaling
 * @param access access control of the inputs
 */
public record QueuePorts(Transport transport, Listeners listeners, AccessControl access) {
    /** Returns ports with unrestricted access to the inputs. */
    public static QueuePorts open(Transport transport, Listeners listeners, Clock clock) {
        return new QueuePorts(transport, listeners, AccessControl.open(clock));
    }
}
