package io.chimera.archive.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.FoundItems;
import io.chimera.archive.query.answer.FoundPackets;
import io.chimera.archive.query.answer.FoundPoints;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.Replays;
import io.chimera.common.cluster.archive.ArchiveKind;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.cluster.archive.Archives;
import io.chimera.common.cluster.archive.KnownArchive;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class ClusterArchiveTest {
    private static final Question EVERYTHING = Question.parse("", 0);

    private static FoundItems ask(Question question, Optional<ArchiveKind> wanted, ArchiveKind... nodes) {
        List<ArchiveMember> live = Arrays.stream(nodes)
                .map(kind -> new ArchiveMember(
                        kind.toString(), 1, "a:1", new ArchiveMember.IndexFormat(1, 0), 0, Set.of(kind)))
                .toList();
        List<KnownArchive> known = live.stream()
                .map(member -> new KnownArchive(member.id(), member.kinds()))
                .toList();
        ClusterView view = new ClusterView(
                1,
                true,
                List.of(),
                List.of(),
                0,
                new TreeMap<>(),
                LowMark.NONE,
                Replays.NONE,
                new Archives(live, known));
        try (MemoryPeers peers = new MemoryPeers(Map.of())) {
            return new ClusterArchive(() -> view, peers, new SystemClock(), new Counters<>(ArchiveCounter.class))
                    .ask(question, wanted);
        }
    }

    @Test
    void whatIsAskedForIsWhatTheNodesHoldUnlessTheyHoldBoth() {
        assertThat(ask(EVERYTHING, Optional.empty(), ArchiveKind.POINTS)).isInstanceOf(FoundPoints.class);
        assertThat(ask(EVERYTHING, Optional.empty(), ArchiveKind.PACKETS)).isInstanceOf(FoundPackets.class);
        assertThatThrownBy(() -> ask(EVERYTHING, Optional.empty(), ArchiveKind.PACKETS, ArchiveKind.POINTS))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("--kind");
        assertThat(ask(EVERYTHING, Optional.of(ArchiveKind.POINTS), ArchiveKind.PACKETS, ArchiveKind.POINTS))
                .isInstanceOf(FoundPoints.class);
    }

    @Test
    void aClusterWithoutWhatIsWantedSaysSo() {
        assertThatThrownBy(() -> ask(EVERYTHING, Optional.of(ArchiveKind.PACKETS), ArchiveKind.POINTS))
                .isInstanceOf(ChimeraException.class)
                .hasMessage("No archive node of this cluster holds packets.");
        assertThatThrownBy(() -> ask(EVERYTHING, Optional.empty()))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("no archive nodes");
    }

    @Test
    void aQuestionInTheWordsOfTheOtherKindIsRefusedWithItsPlace() {
        assertThatThrownBy(() -> ask(Question.parse("port 53", 0), Optional.empty(), ArchiveKind.POINTS))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("At character");
    }
}
