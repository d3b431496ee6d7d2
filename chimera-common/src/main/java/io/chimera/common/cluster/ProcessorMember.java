package io.chimera.common.cluster;

import java.util.List;

/**
 * A live processor as it announces itself.
 *
 * @param id the node's name in the configuration
 * @param session names this start of the process; never used again
 * @param address host:port where queue nodes connect
 * @param http host:port of health, metrics and taps
 * @param digests of the configurations that it can process cycles with, the newest first; see {@link Agreement}
 * @param leaving true when the node asked to leave: it gets no shard of later cycles
 * @param storesOut names of the stores that do not accept its rows
 */
public record ProcessorMember(
        String id,
        long session,
        String address,
        String http,
        List<String> digests,
        boolean leaving,
        List<String> storesOut) {
    /** Takes unmodifiable copies. */
    public ProcessorMember {
        digests = List.copyOf(digests);
        storesOut = List.copyOf(storesOut);
    }

    /** A processor of one configuration. */
    public ProcessorMember(String id, long session, String address, String http, String digest, boolean leaving) {
        this(id, session, address, http, List.of(digest), leaving, List.of());
    }

    /** Whether this processor can take shards of cycles of a configuration; of one that is not named any can. */
    public boolean holds(String digest) {
        return digest.isEmpty() || digests.contains(digest);
    }

    /** The newest configuration that it has; empty when it has none. */
    public String digest() {
        return digests.isEmpty() ? "" : digests.get(0);
    }
}
