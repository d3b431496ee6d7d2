package io.chimera.archive.distributed;

import io.chimera.archive.index.key.KeyHash;
import io.chimera.common.cluster.archive.ArchiveMember;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Assigns each span to the index node with the greatest combined hash of node and span (rendezvous hashing).
 * Owners vary from span to span. When a node joins or leaves, only its own spans move. The hash uses the node
 * id, so a returning node owns the same spans.
 */
final class SpanOwners {
    private final List<ArchiveMember> members;
    private final long[] hashes;

    /** Creates the assignment among nodes with a common index. */
    SpanOwners(List<ArchiveMember> members) {
        this.members = members;
        hashes = members.stream().mapToLong(member -> hash(member.id())).toArray();
    }

    private static long hash(String id) {
        byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
        return KeyHash.of(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    /** Returns the owner; null without members. */
    ArchiveMember of(long span) {
        int owner = -1;
        long greatest = Long.MIN_VALUE;
        for (int i = 0; i < hashes.length; i++) {
            long hash = KeyHash.of(span, hashes[i]);
            if (owner < 0 || hash > greatest) {
                owner = i;
                greatest = hash;
            }
        }
        return owner < 0 ? null : members.get(owner);
    }
}
