package io.chimera.coordinator.zookeeper;

import org.apache.zookeeper.ZooKeeper;

/**
 * One connection, from the moment it stands until it breaks. What was asked over a link that broke is never answered:
 * its outcome is unknown, and whoever asked looks again over the next link.
 *
 * @param number tells this link from the others
 * @param zooKeeper the client
 * @param znodes paths
 * @param access who may read and write them
 * @param agent runs what replies bring
 */
record Link(int number, ZooKeeper zooKeeper, Znodes znodes, Access access, SessionAgent agent) {
    /** Runs a reply's work on the agent's thread, unless the link broke meanwhile. Called by ZooKeeper's thread. */
    void reply(Runnable work) {
        agent.onReply(number, work);
    }

    /** Id of the session at ZooKeeper, which owns our ephemeral znodes. */
    long owner() {
        return zooKeeper.getSessionId();
    }
}
