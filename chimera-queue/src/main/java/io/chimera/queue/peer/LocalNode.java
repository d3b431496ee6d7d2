package io.chimera.queue.peer;

import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.wire.Hello;

/**
 * Ids of a queue node and of its present start.
 *
 * @param cluster name of the cluster
 * @param id name of the node in the configuration
 * @param group journal group of the node
 * @param session id of this start of the process; never 0, never reused
 * @param stream stream of the points accepted by this start; never 0, never reused
 */
public record LocalNode(String cluster, String id, JournalGroup group, long session, long stream) {
    /** Creates the ids of a node of the default group. */
    public LocalNode(String cluster, String id, long session, long stream) {
        this(cluster, id, JournalGroup.DEFAULT, session, stream);
    }

    /** Returns the introduction of this node to other nodes. */
    public Hello hello() {
        return Hello.of(session, cluster);
    }
}
