package io.chimera.coordinator.conductor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.JournalLosses;
import io.chimera.common.cluster.JournalState;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.common.error.ChimeraException;
import io.chimera.coordinator.plan.Removal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the conditions for removing a queue node from the group. */
final class RemovalTest extends ConductorRig {
    @Test
    void removesADeadNodeWhenAllOthersLiveAndHoldTheSecondCopies() {
        members();
        journal(A, 5);
        prove("q2");
        kill("q2");

        assertThat(refusal("q2", false)).isEmpty();
    }

    /** The lost journal may have had the second copies, and the dead node has not shown that others have copied them. */
    @Test
    void refusesAfterTheGroupHasLostAnotherJournal() {
        members();
        announce("q3", Positions.NONE);
        journal(A, 5);
        prove("q1", "q2", "q3");
        kill("q3");
        assertThat(removal().remove("q3", false)).contains("q3");
        kill("q2");

        assertThat(refusal("q2", false).orElseThrow()).contains("only copy");

        journal(A, 5);
        prove("q2");
        kill("q2");
        assertThat(refusal("q2", false)).isEmpty();
    }

    @Test
    void refusesAfterAnotherNodeHasReturnedWithAnEmptyJournal() {
        members();
        journal(A, 5);
        prove("q1", "q2");
        kill("q1");
        announce(queue("q1", 31, Positions.NONE, Positions.NONE).with(JournalState.of(9)));
        kill("q2");

        assertThat(refusal("q2", false).orElseThrow()).contains("only copy");
    }

    @Test
    void saysHowManyCopiesStayAfterTheRemoval() {
        members();
        announce("q3", Positions.NONE);
        journal(A, 5);
        prove("q1", "q2", "q3");
        kill("q3");
        assertThat(removal().remove("q3", false)).doesNotContain("queue.acks");
        journal(A, 5);
        prove("q2");
        kill("q2");

        assertThat(removal().remove("q2", false)).contains("Journal group main then has 1 of the 2", "1 copy");
    }

    /** Nodes join without a journal, so they cannot have lost a copy. */
    @Test
    void permitsTheRemovalAfterTheReplacementJoined() {
        members();
        journal(A, 5);
        prove("q1", "q2");
        kill("q2");
        announce("q3", Positions.NONE);

        assertThat(refusal("q2", false)).isEmpty();
    }

    @Test
    void namesTheLossesOfItsViewToTheRegistrations() {
        members();
        prove("q2");
        kill("q2");
        JournalLosses seen = view().journals().losses().plus(JournalGroup.DEFAULT);
        Removal removal = new Removal(this::view, (ids, losses) -> losses.equals(seen), ReplicationPolicy.of(2));

        assertThatThrownBy(() -> removal.remove("q2", false)).hasMessageContaining("not registered");
    }

    @Test
    void refusesALaneWithoutItsNode() {
        members();
        Removal removal = new Removal(this::view, (ids, seen) -> true, new ReplicationPolicy(2, 2));

        assertThatThrownBy(() -> removal.remove("q2.1", false))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("cluster remove q2.");
        assertThatThrownBy(() -> removal.remove("q2.1", true)).hasMessageContaining("q2.1 is not registered");
    }

    /** A node whose lane 0 has its old folder, and whose lane 1 waits with a new one. */
    @Test
    void removesALostLaneOfALiveNode() {
        members();
        lane("q1.1", 41);
        lane("q2.1", 42);
        assertThatThrownBy(() -> removal().remove("q2.1", true)).hasMessageContaining("q2.1 lives");
        kill("q2.1");
        assertThatThrownBy(() -> removal().remove("q2.1", false)).hasMessageContaining("--lost");
        long before = view().journals().losses().of(JournalGroup.DEFAULT.lane(1));

        assertThat(removal().remove("q2.1", true)).contains("Lane q2.1", "Journal group main.1 then has 1 of the 2");

        assertThat(view().roster().ids()).containsExactly("q1", "q1.1", "q2");
        assertThat(view().journals().losses().of(JournalGroup.DEFAULT.lane(1))).isEqualTo(before + 1);
        assertThat(view().journals().losses().of(JournalGroup.DEFAULT)).isZero();
        lane("q2.1", 43);
        assertThat(view().roster().ids()).containsExactly("q1", "q1.1", "q2", "q2.1");
    }

    @Test
    void removesADeadNodeOnlyAsAWhole() {
        members();
        lane("q1.1", 41);
        lane("q2.1", 42);
        kill("q2");
        kill("q2.1");

        assertThatThrownBy(() -> removal().remove("q2.1", true)).hasMessageContaining("cluster remove q2.");
    }

    @Test
    void refusesOneThatLives() {
        members();

        assertThat(refusal("q2", true).orElseThrow()).contains("q2 lives");
    }

    @Test
    void refusesWhileAnotherIsMissingTooUnlessItsPointsAreGivenUp() {
        members();
        announce("q3", Positions.NONE);
        kill("q2");
        kill("q3");

        assertThat(refusal("q2", false).orElseThrow()).contains("of the other 2 queue nodes only 1 live");
        assertThat(refusal("q2", true)).isEmpty();
    }

    /** The dead node acknowledged points while it was alone. */
    @Test
    void refusesWhenTheLiveNodesJoinedAfterTheDeath() {
        announce("q1", Positions.NONE);
        journal(A, 5);
        kill("q1");
        announce("q2", Positions.NONE);

        assertThat(refusal("q1", false).orElseThrow()).contains("only copy");
        assertThat(refusal("q1", true)).isEmpty();
    }

    @Test
    void refusesWhereOneCopyIsEnough() {
        members();
        kill("q2");

        Optional<String> refusal = Removal.refusal(view(), new ReplicationPolicy(2, 1), "q2", false);

        assertThat(refusal.orElseThrow()).contains("one copy is enough");
        assertThat(Removal.refusal(view(), new ReplicationPolicy(2, 1), "q2", true))
                .isEmpty();
    }

    @Test
    void refusesWhateverIsGivenUpWhileAnOpenCycleNeedsThatJournal() {
        members();
        journal(A, 5);
        run(EVERY);
        announce(queue("q1", 11, Positions.NONE, Positions.of(A, 3)));
        kill("q2");

        assertThat(refusal("q2", true).orElseThrow()).contains("Cycle 1 has points that no live journal holds");
    }

    @Test
    void removesANodeWithAllOfItsLanes() {
        members();
        lane("q1.1", 41);
        lane("q2.1", 42);
        announce("q3", Positions.NONE);
        journal(A, 5);
        prove("q2", "q2.1");
        kill("q2");
        kill("q2.1");

        assertThat(removal().remove("q2", false)).contains("q2");
        assertThat(view().roster().ids()).containsExactly("q1", "q1.1", "q3");
    }

    /** A node with a part of its lanes could neither join nor be waited for. */
    @Test
    void keepsAllLanesWhenOneReturnsAfterTheView() {
        members();
        lane("q1.1", 41);
        lane("q2.1", 42);
        journal(A, 5);
        prove("q2", "q2.1");
        kill("q2");
        kill("q2.1");
        ClusterView before = view();
        Removal removal = new Removal(() -> before, cluster::unregister, ReplicationPolicy.of(2));
        lane("q2.1", 43);

        assertThatThrownBy(() -> removal.remove("q2", false)).hasMessageContaining("returned");

        assertThat(view().roster().ids()).contains("q2", "q2.1");
        assertThat(view().journals().losses()).isEqualTo(before.journals().losses());
    }

    @Test
    void keepsAllLanesWhileOneMustStay() {
        members();
        lane("q1.1", 41);
        lane("q2.1", 42);
        kill("q2");

        assertThatThrownBy(() -> removal().remove("q2", true))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("q2.1");
        assertThat(view().roster().ids()).contains("q2", "q2.1");
    }

    @Test
    void refusesANodeThatIsNotRegistered() {
        members();

        assertThatThrownBy(() -> removal().remove("q7", false))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("q7 is not registered");
    }

    /** Clusters from before the lanes may have such ids. */
    @Test
    void removesANodeWithTheIdOfALaneWithoutItsNeighbours() {
        members();
        member("old.1", JournalGroup.DEFAULT, 41);
        member("old.2", JournalGroup.DEFAULT, 42);
        journal(A, 5);
        prove("old.1");
        kill("old.1");

        assertThatThrownBy(() -> removal().remove("old", true)).hasMessageContaining("not registered");
        assertThat(removal().remove("old.1", false)).contains("old.1");
        assertThat(view().roster().ids()).containsExactly("old.2", "q1", "q2");
    }

    private Removal removal() {
        return new Removal(this::view, cluster::unregister, ReplicationPolicy.of(2));
    }

    /** Announces that other journals hold all records of the nodes. */
    private void prove(String... ids) {
        for (String id : ids) {
            QueueMember member = view().queues().stream()
                    .filter(some -> some.id().equals(id))
                    .findFirst()
                    .orElseThrow();
            long losses = view().journals().losses().of(member.group());
            announce(member.with(member.journal().copiedAfter(losses)));
        }
    }

    private void lane(String id, long session) {
        member(id, JournalGroup.DEFAULT.lane(1), session);
    }

    private void member(String id, JournalGroup group, long session) {
        announce(new QueueMember(
                id,
                group,
                session,
                "a",
                "h",
                session + 1_000,
                List.of(new ConfigurationDigest("d")),
                Positions.NONE,
                Positions.of(A, 5), // a stream of another node
                false,
                List.of(),
                0,
                List.of()));
    }

    private Optional<String> refusal(String id, boolean isLost) {
        return Removal.refusal(view(), ReplicationPolicy.of(2), id, isLost);
    }
}
