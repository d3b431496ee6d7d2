package io.chimera.coordinator.zookeeper.znode;

import io.chimera.common.cluster.archive.ArchiveKind;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.cluster.archive.KnownArchive;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Announcement of an archive node. */
record ArchiveZnode(
        String id, HexName session, String http, long spanNs, int keys, long generation, List<String> kinds) {
    /** Persistent znode of an archive node that may store data, live or not. */
    record Known(@MayBeMissing boolean registered, List<String> kinds) {
        static Known of(ArchiveMember member) {
            return new Known(true, names(member.kinds()));
        }

        KnownArchive known(String id) {
            return new KnownArchive(id, parsed(kinds));
        }
    }

    static ArchiveZnode of(ArchiveMember member) {
        return new ArchiveZnode(
                member.id(),
                new HexName(member.session()),
                member.http(),
                member.index().spanNs(),
                member.index().keys(),
                member.generation(),
                names(member.kinds()));
    }

    ArchiveMember member() throws MalformedZnodeException {
        if (spanNs < 1) {
            throw new MalformedZnodeException("its spans have no length");
        }
        return new ArchiveMember(
                id, session.value(), http, new ArchiveMember.IndexFormat(spanNs, keys), generation, parsed(kinds));
    }

    private static List<String> names(Set<ArchiveKind> kinds) {
        return kinds.stream().map(ArchiveKind::toString).sorted().toList();
    }

    /** Returns the known kinds; this release never queries other kinds. */
    private static Set<ArchiveKind> parsed(List<String> names) {
        return names.stream().flatMap(name -> ArchiveKind.of(name).stream()).collect(Collectors.toSet());
    }
}
