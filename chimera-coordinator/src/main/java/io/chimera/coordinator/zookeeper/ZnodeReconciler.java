package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.ClusterView;

/**
 * Brings one part of ZooKeeper's content to the state wanted by this node, step by step: compares the known state,
 * sends one change, and compares again after the reply. Used by the agent's thread only.
 */
interface ZnodeReconciler {
    /**
     * Performs the next step, if one is due.
     *
     * @param link a live link
     * @param view the newest view
     * @param nowNs time of the agent's clock
     * @return above 0 when a step was done
     */
    int reconcile(ZooKeeperLink link, ClusterView view, long nowNs);

    /** Reacts to a znode that was changed, created or deleted. */
    default void onChange(ZooKeeperLink link, String path) {}

    /** Reacts to a broken link: pending replies will not arrive. */
    void onLinkBroken();
}
