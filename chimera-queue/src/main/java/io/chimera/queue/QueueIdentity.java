package io.chimera.queue;

import java.nio.file.Path;

/**
 * Identity and addresses of a queue node.
 *
 * @param cluster name of the cluster
 * @param id name of the node in the configuration
 * @param session id of this start of the process; never 0, never reused
 * @param stream stream of the points accepted by this start; never 0, never reused
 * @param announcedHost host name or address for peers
 * @param http announced host:port of health, metrics and taps
 * @param digest digest of the configuration that determines the contents of cycles
 * @param dataFolder folder for the dead letters
 */
public record QueueIdentity(
        String cluster,
        String id,
        long session,
        long stream,
        String announcedHost,
        String http,
        String digest,
        Path dataFolder) {}
