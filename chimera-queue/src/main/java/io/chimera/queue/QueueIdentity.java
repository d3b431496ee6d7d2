package io.chimera.queue;

import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.queue.peer.LocalNode;
import java.nio.file.Path;

/**
 * Identity and addresses of a queue node.
 *
 * @param node ids of the node
 * @param announcedHost host name or address for peers
 * @param http announced host:port of health, metrics and taps
 * @param digest digest of the configuration that determines the contents of cycles
 * @param dataFolder folder for the dead letters
 */
public record QueueIdentity(
        LocalNode node, String announcedHost, String http, ConfigurationDigest digest, Path dataFolder) {
    /** Name of the node in the configuration. */
    public String id() {
        return node.id();
    }

    /** Journal group of the node. */
    public JournalGroup group() {
        return node.group();
    }

    /** Session of this start of the process. */
    public long session() {
        return node.session();
    }

    /** Stream of the points accepted by this start. */
    public long stream() {
        return node.stream();
    }
}
