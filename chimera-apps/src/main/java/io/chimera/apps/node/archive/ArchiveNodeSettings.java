package io.chimera.apps.node.archive;

import java.time.Duration;

/**
 * A recorder as a member of a cluster.
 *
 * @param cluster where it meets
 * @param id the node's name
 * @param span how long the spans of time are whose index one node holds; the same for all
 * @param indexBytes of memory for the indexes of others
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
