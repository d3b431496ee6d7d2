package io.chimera.queue.peer;

import io.chimera.common.wire.Hello;

/**
 * Ids of a queue node and of its present start.
 *
 * @param cluster name of the cluster
 * @param id name of the node in the configuration
 * @param session id of this start of the process; never 0, never reused
 * @param stream stream of the points accepted by this start; never 0, never reused
 */
public record LocalNode(String cluster, String id, long session, long stream) {
    /** Returns the introduction of this node to other nodes. */
    public Hello hello() {
        return Hello.of(session, cluster);
    }
}
