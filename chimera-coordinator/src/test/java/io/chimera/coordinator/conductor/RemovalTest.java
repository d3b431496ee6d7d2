package io.chimera.coordinator.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.coordinator.plan.Removal;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the conditions for removing a queue node from the group. */
final class RemovalTest extends ConductorRig {
    @Test
    void removesADeadNodeWhenAllOthersLiveAndHoldTheSecondCopies() {
        members();
        journal(A, 5);
        kill("q2");

        assertThat(refusal("q2", false)).isEmpty();
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

    private Optional<String> refusal(String id, boolean isLost) {
        return Removal.refusal(view(), ReplicationPolicy.of(2), id, isLost);
    }
}
