package io.chimera.archive.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.FoundPackets;
import io.chimera.archive.query.answer.FoundPoints;
import io.chimera.archive.query.answer.NodeReport.Absent;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.archive.ArchiveKind;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.cluster.archive.Archives;
import io.chimera.common.cluster.archive.KnownArchive;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class NodeSearchTest {
    private static final ArchiveMember A = new ArchiveMember("a", 1, "a:1", new ArchiveMember.IndexFormat(60, 0), 0);
    private static final ArchiveMember B = new ArchiveMember("b", 2, "b:1", new ArchiveMember.IndexFormat(60, 0), 0);

    private final NodeSearch search = new NodeSearch(ArchiveKind.PACKETS, new Silent());

    @Test
    void saysThatThereMayBeMoreNodesWhereZooKeeperIsOutOfSight() {
        ClusterView view = view(List.of(B, A), List.of("a", "b", "c"));
        Question question = Question.parse("udp", 0);
        assertThat(search.choose(question, view, 0).absent())
                .extracting(Absent::id)
                .containsExactly("c");

        NodeChoice blind = search.choose(question, view.connected(false), 0);
        assertThat(blind.absent()).extracting(Absent::id).containsExactly("c", Absent.UNKNOWN);
        assertThat(blind.nodes()).isEqualTo(3);
        assertThat(blind.targets())
                .extracting(target -> target.member().id())
                .as("in the same order for all")
                .containsExactly("a", "b");
    }

    @Test
    void asksForPointsWhoeverHoldsThemAndNamesThoseAway() {
        ArchiveMember points = new ArchiveMember(
                "p", 3, "p:1", new ArchiveMember.IndexFormat(1, ArchiveMember.NO_KEYS), 0, Set.of(ArchiveKind.POINTS));
        ArchiveMember both = new ArchiveMember(
                "q",
                4,
                "q:1",
                new ArchiveMember.IndexFormat(60, 0),
                0,
                Set.of(ArchiveKind.POINTS, ArchiveKind.PACKETS));
        ClusterView view = viewOf(
                List.of(A, points, both),
                List.of(
                        new KnownArchive("away", Set.of(ArchiveKind.POINTS)),
                        new KnownArchive("gone", Set.of(ArchiveKind.PACKETS))));
        NodeChoice choice = new NodeSearch(ArchiveKind.POINTS, new Silent())
                .choose(Question.parse("host=web01 and before 1h ago", 0), view, 0);

        assertThat(choice.targets()).extracting(target -> target.member().id()).containsExactly("p", "q");
        assertThat(choice.absent()).extracting(Absent::id).containsExactly("away");
        assertThat(choice.nodes()).isEqualTo(3);
    }

    @Test
    void refusesAStreamThatCannotBe() {
        Question question = new Question("udp", "x".repeat(300_000), 0, 1, 1);
        assertThatThrownBy(() -> search.choose(question, view(List.of(A), List.of()), 0))
                .isInstanceOf(ChimeraException.class);
    }

    private static ClusterView view(List<ArchiveMember> live, List<String> known) {
        return viewOf(
                live,
                known.stream()
                        .map(id -> new KnownArchive(id, Set.of(ArchiveKind.PACKETS)))
                        .toList());
    }

    private static ClusterView viewOf(List<ArchiveMember> live, List<KnownArchive> known) {
        return ClusterView.of(1, new Archives(live, known));
    }

    /** Peers without answers. */
    private static final class Silent implements Peers {
        @Override
        public void bring(ArchiveMember to, byte[] parcel, Consumer<byte[]> reply) {
            reply.accept(null);
        }

        @Override
        public List<byte[]> ask(List<ArchiveMember> nodes, List<byte[]> questions) {
            return new ArrayList<>(Collections.nCopies(nodes.size(), null));
        }

        @Override
        public FoundPackets packets(ArchiveMember from, Question question) {
            throw new UnsupportedOperationException("Only who is asked is looked at here.");
        }

        @Override
        public FoundPoints points(ArchiveMember from, Question question) {
            throw new UnsupportedOperationException("Only who is asked is looked at here.");
        }

        @Override
        public void awaitRoom(int refusals) {
            throw new UnsupportedOperationException("Only who is asked is looked at here.");
        }
    }
}
