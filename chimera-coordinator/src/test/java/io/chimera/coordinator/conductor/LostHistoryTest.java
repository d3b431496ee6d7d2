package io.chimera.coordinator.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.ControlMark;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.coordinator.watch.Standstill;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests a conductor over a tree that lost its cycles: no cycle begins before the recovery. */
final class LostHistoryTest extends ConductorRig {
    private static final Duration LONG = Duration.ofSeconds(20);

    @Test
    void aNewCoordinatorBeginsNothingOverJournalsThatHaveMarks() {
        announce(processor("p1", 21, "d", false));
        truncated("q1", Positions.of(A, 50), Positions.of(A, 70));
        truncated("q2", Positions.of(A, 50), Positions.of(A, 70));

        run(LONG);

        assertThat(view().newest()).isZero();
        assertThat(conductor.recovery()).contains("chimera cluster recover");
        assertThat(waiting().cause()).isEqualTo(Standstill.Cause.TREE_LOST);
        assertThat(waiting().text()).contains("chimera cluster recover");
    }

    @Test
    void aNewCoordinatorBeginsNothingOverACopyThatNamesACycle() {
        announce(processor("p1", 21, "d", false));
        journal(A, 70);
        announce(queue("q1", 11, Positions.NONE, Positions.of(A, 70)).keeping(new ControlMark("old", 0, 1)));

        run(LONG);

        assertThat(view().newest()).isZero();
        assertThat(conductor.recovery()).contains("q1").contains("cycle 1");
    }

    @Test
    void goesOnWhenTheTreeIsRecovered() {
        members();
        journal(A, 10);
        run(LONG);
        commitAll();
        ControlState copy = ControlState.of(view());
        assertThat(copy.newest()).isPositive();
        loseEverything("new");
        announce(processor("p1", 21, "d", false));
        announce(queue("q1", 11, Positions.of(A, 10), Positions.of(A, 30)).keeping(copy.mark()));
        announce(queue("q2", 12, Positions.of(A, 10), Positions.of(A, 30)).keeping(copy.mark()));
        run(LONG);
        assertThat(view().newest()).isZero();
        assertThat(conductor.recovery()).isNotEmpty();

        cluster.recover(copy);
        run(LONG);

        assertThat(conductor.recovery()).isEmpty();
        assertThat(view().newest()).isGreaterThan(copy.newest());
        assertThat(view().low().history()).isEqualTo(copy.low().history());
    }

    @Test
    void aNodeOfAnotherHistoryIsLeftOutOfOneThatGoesOn() {
        members();
        journal(A, 10);
        run(LONG);
        commitAll();
        long before = view().newest();
        announce(queue("q9", 19, Positions.of(B, 40), Positions.of(A, 10, B, 90))
                .keeping(new ControlMark("other", 4, 4)));

        journal(A, 20);
        run(LONG);

        assertThat(conductor.recovery()).isEmpty();
        assertThat(view().newest()).isGreaterThan(before);
        assertThat(view().lastCut().names(B)).isFalse();
    }

    @Test
    void itsOwnMemoryCountsUntilAllQueueNodesHaveSpoken() {
        members();
        journal(A, 10);
        run(LONG);
        assertThat(view().newest()).isPositive();
        loseEverything("new");
        announce(processor("p1", 21, "d", false));
        announce("q1", Positions.of(A, 30));

        run(LONG);
        assertThat(view().newest()).isZero();
        assertThat(conductor.recovery()).contains("q2");

        announce("q2", Positions.of(A, 30));
        run(LONG);
        assertThat(view().newest()).isPositive();
    }

    private void loseEverything(String history) {
        nodes.clear();
        cluster.lose(history);
        lead.expire();
        run(Duration.ofMillis(100));
    }
}
