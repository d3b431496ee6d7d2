package io.chimera.common.cluster;

import java.util.List;

/**
 * Announcement of a live processor.
 *
 * @param id name of the node in the configuration
 * @param session identifies this start of the process; never reused
 * @param address host:port for connections of queue nodes
 * @param http host:port for health, metrics and taps
 * @param digests digests of the available configurations, newest first; see {@link ConfigurationDigest}
 * @param leaving true after a request to leave: later cycles assign no shard to the node
 * @param storesOut names of the stores not accepting rows of this processor
 * @param weight weight in the distribution of shards, at least 1; {@link #WEIGHT_AUTO} when the conductor measures it
 */
public record ProcessorMember(
        String id,
        long session,
        String address,
        String http,
        List<ConfigurationDigest> digests,
        boolean leaving,
        List<String> storesOut,
        int weight) {
    /** Weight that the conductor measures. */
    public static final int WEIGHT_AUTO = 0;

    /** Weight of a processor that announces none. */
    public static final int WEIGHT_DEFAULT = 1;

    /** Copies the lists. */
    public ProcessorMember {
        digests = List.copyOf(digests);
        storesOut = List.copyOf(storesOut);
    }

    /** Creates a processor with one configuration. */
    public ProcessorMember(String id, long session, String address, String http, String digest, boolean leaving) {
        this(id, session, address, http, List.of(new ConfigurationDigest(digest)), leaving, List.of(), WEIGHT_DEFAULT);
    }

    /** Returns whether this processor can process cycles of a configuration; true for an empty digest. */
    public boolean holds(ConfigurationDigest digest) {
        return digest.isEmpty() || digests.contains(digest);
    }

    /** Digest of the newest configuration; empty without a configuration. */
    public ConfigurationDigest digest() {
        return digests.isEmpty() ? ConfigurationDigest.NONE : digests.get(0);
    }
}
