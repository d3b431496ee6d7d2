package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.ClusterView;

/**
 * Brings one thing in ZooKeeper to what this node wants it to be, step by step: it looks at what it knows, asks for one
 * change, and looks again when the reply is in. The agent's thread.
 */
interface Reconciler {
    /**
     * Does the next step, if there is one and it is time to.
     *
     * @param link a link that stands
     * @param view the newest
     * @param nowNs by the agent's clock
     * @return above 0 when something was done
     */
    int reconcile(Link link, ClusterView view, long nowNs);

    /** A znode changed, or was made or deleted. */
    default void onChange(Link link, String path) {}

    /** The link broke: replies that are not in will not come. */
    void onLinkBroken();
}
