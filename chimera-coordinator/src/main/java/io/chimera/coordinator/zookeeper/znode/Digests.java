package io.chimera.coordinator.zookeeper.znode;

import java.util.List;

/** Reads the configuration digests of a member. */
final class Digests {
    private Digests() {}

    /**
     * Returns the digests loaded by a member, newest first.
     *
     * @param digests all digests; null when an earlier release wrote the znode
     * @param digest the newest digest
     */
    static List<String> of(List<String> digests, String digest) throws MalformedZnodeException {
        if (digests != null) {
            return digests;
        }
        if (digest == null) {
            throw new MalformedZnodeException("it has no field 'digest'");
        }
        return List.of(digest);
    }
}
