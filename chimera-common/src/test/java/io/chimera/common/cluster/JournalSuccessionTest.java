package io.chimera.common.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.archive.Archives;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests the relation of a journal to the registered one with the identity 8. */
final class JournalSuccessionTest {
    private static final JournalState REGISTERED = JournalState.of(8);

    @Test
    void tellsARestartFromALoss() {
        assertThat(succession(JournalState.registered(8, "h"))).isEqualTo(JournalSuccession.SAME);
        assertThat(JournalSuccession.SAME.isLoss()).isFalse();
        assertThat(succession(JournalState.registered(7, "h").replacing(List.of(6L, 8L))))
                .isEqualTo(JournalSuccession.DAMAGED);
        assertThat(JournalSuccession.DAMAGED.isLoss()).isTrue();
    }

    @Test
    void tellsANewFolderFromAnOldOne() {
        assertThat(succession(JournalState.of(7))).isEqualTo(JournalSuccession.NEW);
        assertThat(succession(JournalState.of(7).namedIn("h"))).isEqualTo(JournalSuccession.NEW);
        assertThat(succession(JournalState.registered(7, "h"))).isEqualTo(JournalSuccession.OUTDATED);
    }

    /** A recovery writes registrations without an identity. */
    @Test
    void tellsANewFolderFromARegisteredOneAlsoAfterARecovery() {
        assertThat(JournalSuccession.of(JournalState.of(7), JournalState.NONE)).isEqualTo(JournalSuccession.NEW);
        assertThat(JournalSuccession.of(JournalState.registered(7, "h"), JournalState.NONE))
                .isEqualTo(JournalSuccession.DAMAGED);
        assertThat(JournalSuccession.of(JournalState.of(7).namedIn("h"), JournalState.NONE))
                .isEqualTo(JournalSuccession.DAMAGED);
    }

    @Test
    void onlyANewFolderNeedsAProofOfTheEarlierOne() {
        ClusterView view = view(3, "q1", "q2");

        assertThat(mayEnd(JournalSuccession.NEW, REGISTERED, view)).isTrue();
        assertThat(mayEnd(JournalSuccession.NEW, REGISTERED.copiedAfter(2), view))
                .isTrue();
        assertThat(mayEnd(JournalSuccession.NEW, REGISTERED.copiedAfter(3), view))
                .isFalse();
        assertThat(mayEnd(JournalSuccession.DAMAGED, REGISTERED, view)).isFalse();
        assertThat(mayEnd(JournalSuccession.SAME, REGISTERED, view)).isFalse();
    }

    /** The journal of a node that is not live may be the other copy, and its disk may be lost too. */
    @Test
    void aProofHoldsOnlyWithAllOtherNodesOfTheGroup() {
        assertThat(mayEnd(JournalSuccession.NEW, REGISTERED.copiedAfter(3), view(3, "q1", "q2", "q3")))
                .isTrue();
        assertThat(mayEnd(JournalSuccession.NEW, REGISTERED.copiedAfter(3), view(2, "q1", "q2")))
                .as("a node of an earlier release counts no losses")
                .isTrue();
    }

    private static boolean mayEnd(JournalSuccession succession, JournalState registered, ClusterView view) {
        return succession.mayEndOnlyCopy(ClusterKit.queue("q1", 11), registered, 3, view);
    }

    /** Returns a view with the live node q2, after three losses. */
    private static ClusterView view(long copied, String... registered) {
        SortedMap<String, JournalGroup> groups = new TreeMap<>();
        List.of(registered).forEach(id -> groups.put(id, JournalGroup.DEFAULT));
        return new ClusterView(
                1,
                true,
                List.of(ClusterKit.queue("q2", 12)),
                List.of(),
                RegisteredNodes.of(groups.size()),
                new TreeMap<>(),
                LowMark.NONE,
                Replays.NONE,
                Archives.NONE,
                new Roster(groups),
                new CopiedJournals(
                        JournalLosses.NONE.atLeast(JournalGroup.DEFAULT, 3), new TreeMap<>(Map.of("q1", copied))));
    }

    private static JournalSuccession succession(JournalState self) {
        return JournalSuccession.of(self, REGISTERED);
    }
}
