package io.chimera.queue;

import java.nio.file.Path;

/**
 * Who a queue node is and where it is found.
 *
 * @param cluster name of the cluster
 * @param id the node's name in the configuration
 * @param session names this start of the process; never 0, never used again
 * @param stream stamps what this start accepts; never 0, never used again
 * @param announcedHost host or address under which peers reach it
 * @param http host:port of health, metrics and taps, as announced
 * @param digest of the configuration that decides what a cycle contains
 * @param dataFolder where the dead letters go
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
