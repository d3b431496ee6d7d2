package io.chimera.coordinator.zookeeper.znode;

import io.chimera.common.cluster.ControlMark;
import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.QueueMember;
import java.util.List;
import java.util.Map;

/**
 * Announcement of a queue node.
 *
 * @param digest newest of the digests: releases with one configuration at a time read and write this field only
 */
record QueueZnode(
        String id,
        Name session,
        String address,
        String http,
        Name stream,
        boolean leaving,
        @Later long clockMs,
        @Later String digest,
        @Later List<String> digests,
        Map<Name, Long> bases,
        Map<Name, Long> positions,
        List<Name> unreachable,
        @Later List<Span> past,
        @Later ControlMark kept) {
    /** Consecutive past cycles. */
    record Span(long first, long last) {
        CycleSpan span() {
            return new CycleSpan(first, Math.max(first, last));
        }
    }

    static QueueZnode of(QueueMember member) {
        return new QueueZnode(
                member.id(),
                new Name(member.session()),
                member.address(),
                member.http(),
                new Name(member.stream()),
                member.leaving(),
                member.clockMs(),
                member.digest(),
                member.digests(),
                Name.positions(member.bases()),
                Name.positions(member.positions()),
                Name.list(member.unreachable()),
                member.past().stream()
                        .map(span -> new Span(span.first(), span.last()))
                        .toList(),
                member.kept());
    }

    QueueMember member() throws MalformedZnodeException {
        return new QueueMember(
                id,
                session.value(),
                address,
                http,
                stream.value(),
                Digests.of(digests, digest),
                Name.positions(bases),
                Name.positions(positions),
                leaving,
                Name.values(unreachable),
                clockMs,
                past == null ? List.of() : past.stream().map(Span::span).toList(),
                kept == null ? ControlMark.NONE : kept);
    }
}
