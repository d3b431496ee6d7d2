package io.chimera.processor;

import java.nio.file.Path;

/**
 * Who a processor is and where it is found.
 *
 * @param cluster name of the cluster
 * @param id the node's name in the configuration
 * @param session names this start of the process; never 0, never used again
 * @param announcedHost host or address under which queue nodes reach it
 * @param http host:port of health, metrics and taps, as announced
 * @param digest of the configuration that decides what a cycle contains
 * @param dataFolder where the dead letters go
 */
public record ProcessorIdentity(
        String cluster, String id, long session, String announcedHost, String http, String digest, Path dataFolder) {}
