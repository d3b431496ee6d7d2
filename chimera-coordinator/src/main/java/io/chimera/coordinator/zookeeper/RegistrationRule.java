package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.ClusterView;
import io.chimera.coordinator.zookeeper.znode.MalformedZnodeException;
import java.util.Optional;

/** Relation of a member to its persistent znode of an earlier start. */
interface RegistrationRule {
    /** Rule of a member whose registration replaces any earlier one. */
    RegistrationRule REPLACING = new RegistrationRule() {};

    /** Returns whether an earlier start of this member was registered, so that the registration should exist. */
    default boolean isReturning() {
        return false;
    }

    /**
     * Returns why a missing registration forbids a returning member, with the remedy; empty if it does not.
     *
     * @param view newest view of the tree
     */
    default Optional<String> refusalWithout(ClusterView view) {
        return Optional.empty();
    }

    /** Returns why an earlier registration forbids this member, with the remedy; empty if it does not. */
    default Optional<String> refusalAfter(byte[] earlier) {
        return Optional.empty();
    }

    /** Returns whether the cluster loses the journal of an earlier registration with this member. */
    default boolean isLoss(byte[] earlier) {
        return false;
    }

    /**
     * Returns why the cluster must not lose the journal of an earlier registration, with the remedy; empty if it may.
     *
     * @param losses present content of the folder of registrations
     * @param view newest view of the tree
     * @throws MalformedZnodeException when this content is unreadable
     */
    default Optional<String> refusalOfLoss(byte[] earlier, byte[] losses, ClusterView view)
            throws MalformedZnodeException {
        return Optional.empty();
    }

    /**
     * Returns the content of the folder of registrations after the loss of this member's earlier journal.
     *
     * @throws MalformedZnodeException when the present content is unreadable
     */
    default byte[] withLoss(byte[] losses) throws MalformedZnodeException {
        return losses;
    }
}
