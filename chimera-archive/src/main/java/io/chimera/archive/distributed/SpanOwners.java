package io.chimera.archive.distributed;

import io.chimera.archive.index.KeyHash;
import io.chimera.common.cluster.ArchiveMember;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Which node holds the index of a span: the one whose hash with the span is greatest. So it is another one from span to span, and
 * where a node comes or goes only the spans move that it gets or had. By the ids, so that a node that comes back has the same ones.
 */
final class SpanOwners {
    private final List<ArchiveMember> members;
    private final long[] hashes;

    /** Among these, who share an index. */
    SpanOwners(List<ArchiveMember> members) {
        this.members = members;
        hashes = members.stream().mapToLong(member -> hash(member.id())).toArray();
    }

    private static long hash(String id) {
        byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
        return KeyHash.of(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    /** The owner; null where there is no member. */
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
