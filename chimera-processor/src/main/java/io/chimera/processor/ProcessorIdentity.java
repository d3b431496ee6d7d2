package io.chimera.processor;

import io.chimera.common.cluster.ConfigurationDigest;
import java.nio.file.Path;

/**
 * Identity and addresses of a processor.
 *
 * @param cluster name of the cluster
 * @param id the node's name in the configuration
 * @param session identifies this start of the process; never 0, never reused
 * @param announcedHost host or address for connections of queue nodes
 * @param http host:port of health, metrics and taps, as announced
 * @param digest of the configuration that decides the content of a cycle
 * @param dataFolder folder of the dead letters
 */
public record ProcessorIdentity(
        String cluster,
        String id,
        long session,
        String announcedHost,
        String http,
        ConfigurationDigest digest,
        Path dataFolder) {}
