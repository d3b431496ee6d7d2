package io.chimera.coordinator.zookeeper.znode;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.chimera.common.cluster.ControlMark;
import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.JournalState;
import io.chimera.common.cluster.QueueMember;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Announcement of a queue node.
 *
 * @param digest newest of the digests: releases with one configuration at a time read and write this field only
 */
record QueueZnode(
        String id,

        @MayBeMissing @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
        String group,

        HexName session,
        String address,
        String http,
        HexName stream,
        boolean leaving,
        @MayBeMissing long clockMs,
        @MayBeMissing String digest,
        @MayBeMissing List<String> digests,
        Map<HexName, Long> bases,
        Map<HexName, Long> positions,
        List<HexName> unreachable,
        @MayBeMissing List<Span> past,
        @MayBeMissing ControlMark kept) {
    /** Consecutive past cycles. */
    record Span(long first, long last) {
        CycleSpan span() {
            return new CycleSpan(first, Math.max(first, last));
        }
    }

    static QueueZnode of(QueueMember member) {
        return new QueueZnode(
                member.id(),
                GroupNames.of(member.group()),
                new HexName(member.session()),
                member.address(),
                member.http(),
                new HexName(member.stream()),
                member.leaving(),
                member.clockMs(),
                member.digest().text(),
                Digests.texts(member.digests()),
                HexName.positions(member.bases()),
                HexName.positions(member.positions()),
                HexName.list(member.unreachable()),
                member.past().stream()
                        .map(span -> new Span(span.first(), span.last()))
                        .toList(),
                member.kept());
    }

    QueueMember member() throws MalformedZnodeException {
        return new QueueMember(
                id,
                GroupNames.group(group),
                session.value(),
                address,
                http,
                stream.value(),
                Digests.of(digests, digest),
                HexName.positions(bases),
                HexName.positions(positions),
                leaving,
                HexName.values(unreachable),
                clockMs,
                past == null ? List.of() : past.stream().map(Span::span).toList(),
                kept == null ? ControlMark.NONE : kept,
                JournalState.NONE);
    }
}
