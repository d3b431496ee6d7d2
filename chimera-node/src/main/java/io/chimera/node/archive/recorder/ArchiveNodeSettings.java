package io.chimera.node.archive.recorder;

import java.time.Duration;

/**
 * Settings of a recorder as a member of a cluster.
 *
 * @param cluster address of the cluster
 * @param id the node's name
 * @param span length of the time spans of the shared index; the same on all nodes
 * @param indexBytes memory limit for the indexes of other nodes
 */
record ArchiveNodeSettings(ClusterAddress cluster, String id, Duration span, long indexBytes) {
    private static final Duration SPAN_MIN = Duration.ofSeconds(1);
    private static final Duration SPAN_MAX = Duration.ofHours(1);
    private static final long INDEX_BYTES_MIN = 1 << 20;

    /** Checks the bounds. */
    ArchiveNodeSettings {
        if (span.compareTo(SPAN_MIN) < 0 || span.compareTo(SPAN_MAX) > 0) {
            throw new IllegalArgumentException("--span must be from 1s to 1h, and the same for all archive nodes.");
        }
        if (indexBytes < INDEX_BYTES_MIN) {
            throw new IllegalArgumentException("--index-memory must be at least 1MiB.");
        }
    }
}
