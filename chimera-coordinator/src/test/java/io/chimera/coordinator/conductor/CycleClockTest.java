package io.chimera.coordinator.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.metrics.CoordinatorCounter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests the effect of wrong clocks on cycle times, with the whole conductor. */
final class CycleClockTest extends ConductorRig {
    private static final Duration DAY = Duration.ofDays(1);

    private long points;
    private Duration stepped = Duration.ZERO;

    /** Announces the clocks of two queue nodes together with the points of each second. */
    private void work(int seconds, Duration errorOfNodes) {
        for (int second = 0; second < seconds; second++) {
            points++;
            announceAt("q1", 11, errorOfNodes);
            announceAt("q2", 12, errorOfNodes);
            run(Duration.ofSeconds(1));
            commitAll();
        }
    }

    private void announceAt(String id, long session, Duration error) {
        QueueMember member = queue(id, session, Positions.NONE, Positions.of(A, points));
        announce(member.clockedAt(trueMs() + error.toMillis()));
    }

    private void step(Duration by) {
        clock.stepWallClock(by);
        stepped = stepped.plus(by);
    }

    private long trueMs() {
        return clock.epochMs() - stepped.toMillis();
    }

    private void begin() {
        announce(processor("p1", 21, "d", false));
        work(30, Duration.ZERO);
        assertThat(view().low().cycle()).isPositive();
    }

    private long errorMs() {
        return view().low().timeMs() - trueMs();
    }

    @Test
    void aDayAheadForSecondsMakesNoCycleAheadAndNoPointLate() {
        begin();

        step(DAY);
        work(9, Duration.ZERO);
        assertThat(conductor.clockProblem()).contains("86400 s ahead");
        step(DAY.negated());
        work(30, Duration.ZERO);

        assertThat(errorMs()).isBetween(-2 * EVERY.toMillis(), 0L);
        assertThat(conductor.clockProblem()).isEmpty();
        assertThat(counters.get(CoordinatorCounter.CLOCK_JUMPS)).isEqualTo(1);
    }

    @Test
    void aJumpOfTheWholeMachineIsRiddenOutToo() {
        begin();

        step(DAY);
        work(60, DAY);

        assertThat(errorMs()).isBetween(-2 * EVERY.toMillis(), 0L);
    }

    @Test
    void followsAJumpThatStaysAndThatTheQueueNodesAgreeWith() {
        begin();

        step(DAY);
        work((int) CycleClock.ADOPT_AFTER.toSeconds() + 30, DAY);

        assertThat(errorMs()).isBetween(DAY.toMillis() - 2 * EVERY.toMillis(), DAY.toMillis());
        assertThat(conductor.clockProblem()).isEmpty();
    }

    @Test
    void aStepBackAfterThatHealsLatenessAtOnce() {
        begin();
        step(DAY);
        work((int) CycleClock.ADOPT_AFTER.toSeconds() + 30, DAY);

        step(DAY.negated());
        points += 10;
        announceAt("q1", 11, Duration.ZERO);
        announceAt("q2", 12, Duration.ZERO);
        run(EVERY.multipliedBy(2));

        assertThat(view().cycles()).isNotEmpty();
        long number = view().cycles().lastKey();
        assertThat(cycle(number).timeMs()).as("rows").isGreaterThan(trueMs() + DAY.toMillis() / 2);
        assertThat(cycle(number).time().clockMs() - trueMs()).as("lateness").isBetween(-2 * EVERY.toMillis(), 0L);
    }

    @Test
    void aCoordinatorThatStartsWithAWrongClockTakesTheTimeOfTheQueueNodes() {
        step(DAY);
        announce(processor("p1", 21, "d", false));
        work(40, Duration.ZERO);

        assertThat(view().low().cycle()).isPositive();
        assertThat(errorMs()).isBetween(-2 * EVERY.toMillis(), 0L);
        assertThat(conductor.clockProblem()).contains("ahead");
    }
}
