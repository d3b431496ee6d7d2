package io.chimera.coordinator.zookeeper;

import org.apache.zookeeper.ZooKeeper;

/**
 * A connection until its first failure. A request over a broken link is never answered: the outcome is unknown, and the
 * requester reads the state again over the next link.
 *
 * @param number number of the link in this process
 * @param zooKeeper the client
 * @param znodes paths of the znodes
 * @param access access lists of the znodes
 * @param agent runs the work of replies
 */
record ZooKeeperLink(int number, ZooKeeper zooKeeper, Znodes znodes, Access access, SessionAgent agent) {
    /** Runs the work of a reply on the agent's thread, unless the link has broken. Called by ZooKeeper's thread. */
    void reply(Runnable work) {
        agent.onReply(number, work);
    }

    /** Returns the id of the ZooKeeper session, the owner of this node's ephemeral znodes. */
    long owner() {
        return zooKeeper.getSessionId();
    }
}
