package io.chimera.common.cluster;

import java.util.List;

/**
 * Assignment of a cycle to members and pipelines. An assignment names sessions, not nodes: a restarted node is another
 * session.
 *
 * @param version 0 at the begin of the cycle, plus one with every reassignment
 * @param digest digest announced by members for the pipelines of the cycle. Changes only when no live member of a tier
 *     has these pipelines any more. Empty if unspecified; every member of the cycle then has only one configuration
 * @param owners session of the sending queue node, per part
 * @param processors session of the receiving processor, per shard
 */
public record Assignment(int version, ConfigurationDigest digest, List<Long> owners, List<Long> processors) {
    /** Copies the lists. */
    public Assignment {
        owners = List.copyOf(owners);
        processors = List.copyOf(processors);
    }

    /** Creates an assignment without a digest. */
    public Assignment(int version, List<Long> owners, List<Long> processors) {
        this(version, ConfigurationDigest.NONE, owners, processors);
    }

    /** Returns whether the assignment uses the pipelines of a digest; true for an assignment without a digest. */
    public boolean isFor(ConfigurationDigest pipelines) {
        return digest.isEmpty() || digest.equals(pipelines);
    }
}
