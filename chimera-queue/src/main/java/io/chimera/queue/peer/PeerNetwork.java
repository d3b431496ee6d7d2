package io.chimera.queue.peer;

import io.chimera.common.agent.Clock;
import io.chimera.common.channel.Transport;
import io.chimera.common.cluster.Cluster;

/**
 * Connection of a queue node with the other nodes.
 *
 * @param self this node
 * @param cluster the members, as known to the coordinator
 * @param transport opens and accepts connections; not closed by its users
 * @param clock clock of the node
 */
public record PeerNetwork(LocalNode self, Cluster cluster, Transport transport, Clock clock) {}
