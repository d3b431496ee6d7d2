package io.chimera.coordinator.zookeeper.znode;

import io.chimera.common.cluster.ConfigurationDigest;
import java.util.List;

/** Reads and writes configuration digests. */
final class Digests {
    private Digests() {}

    /**
     * Returns the digests loaded by a member, newest first.
     *
     * @param digests all digests; null when an earlier release wrote the znode
     * @param digest the newest digest
     */
    static List<ConfigurationDigest> of(List<String> digests, String digest) throws MalformedZnodeException {
        if (digests != null) {
            return digests.stream().map(ConfigurationDigest::new).toList();
        }
        if (digest == null) {
            throw new MalformedZnodeException("it has no field 'digest'");
        }
        return List.of(new ConfigurationDigest(digest));
    }

    /** Returns a digest; an absent digest is unspecified. */
    static ConfigurationDigest of(String digest) {
        return digest == null ? ConfigurationDigest.NONE : new ConfigurationDigest(digest);
    }

    static List<String> texts(List<ConfigurationDigest> digests) {
        return digests.stream().map(ConfigurationDigest::text).toList();
    }
}
