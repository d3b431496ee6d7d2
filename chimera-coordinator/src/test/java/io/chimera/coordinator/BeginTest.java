package io.chimera.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.coordinator.Standstill.Cause;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests the time and the content of new cycles: rule 1, sentence by sentence. */
final class BeginTest extends ConductorRig {
    // Begin: the time

    @Test
    void beginsNothingWithoutPoints() {
        members();
        run(EVERY.multipliedBy(3));

        assertThat(view().cycles()).isEmpty();
    }

    @Test
    void beginsOneCyclePerPeriodWhilePointsArrive() {
        members();
        long start = clock.epochMs();
        for (int second = 1; second <= 30; second++) {
            journal(A, second);
            run(Duration.ofSeconds(1));
            commitAll();
        }

        assertThat(counters.get(CoordinatorCounter.CYCLES_BEGUN)).isEqualTo(3);
        assertThat(view().low().cycle()).isEqualTo(3);
        assertThat(view().low().timeMs()).isEqualTo(start - 3 + 30_000);
    }

    @Test
    void stampsACycleWithTheStartOfThePeriodItBeginsIn() {
        members();
        run(EVERY);
        journal(A, 5);
        run(EVERY);

        assertThat(cycle(1).timeMs() % EVERY.toMillis()).isZero();
        assertThat(cycle(1).timeMs()).isEqualTo(clock.epochMs() / 10_000 * 10_000);
    }

    @Test
    void beginsEarlyWhenMorePointsThanTheMostAreThere() {
        members();
        journal(A, 5);
        run(EVERY);
        journal(A, 5 + MAX_POINTS);
        run(Duration.ofMillis(100));
        assertThat(view().cycles()).hasSize(1);

        journal(A, 5 + MAX_POINTS + 1);
        run(Duration.ofMillis(100));

        assertThat(view().cycles()).hasSize(2);
        assertThat(cycle(2).timeMs()).isEqualTo(cycle(1).timeMs() + 1);
    }

    @Test
    void takesNoMoreThanTheMostPointsIntoACycleAndDrawsEveryStreamBackInProportion() {
        members();
        announce("q1", Map.of(A, 3 * MAX_POINTS, B, MAX_POINTS));
        announce("q2", Map.of(A, 3 * MAX_POINTS, B, MAX_POINTS));
        run(Duration.ofMillis(100));

        assertThat(cycle(1).cut()).isEqualTo(new TreeMap<>(Map.of(A, 750L, B, 250L)));
        assertThat(cycle(2).cut()).isEqualTo(new TreeMap<>(Map.of(A, 1500L, B, 500L)));
    }

    @Test
    void keepsNoMoreCyclesOpenThanConfigured() {
        members();
        for (int period = 1; period <= 5; period++) {
            journal(A, period);
            run(EVERY);
        }
        assertThat(view().cycles().keySet()).containsExactly(1L, 2L, 3L);
        assertThat(waiting().cause()).isEqualTo(Cause.CYCLE_OPEN);
        assertThat(waiting().text()).contains("3 cycles are open");

        commit(1);
        run(Duration.ofMillis(50));

        assertThat(view().cycles().keySet()).containsExactly(2L, 3L, 4L);
        assertThat(cycle(4).cut()).containsEntry(A, 5L);
        assertThat(waiting().text()).doesNotContain("cycles are open").contains("Cycle 2");
    }

    @Test
    void ridesOutAWallClockThatStepsBackAndJudgesLatenessByIt() {
        members();
        journal(A, 1);
        run(EVERY);
        clock.stepWallClock(Duration.ofHours(-1));

        journal(A, 2);
        run(EVERY.plusMillis(100));

        assertThat(cycle(2).timeMs()).isEqualTo(cycle(1).timeMs() + EVERY.toMillis());
        assertThat(cycle(2).time().clockMs()).isBetween(clock.epochMs() - EVERY.toMillis(), clock.epochMs());
    }

    @Test
    void timesGrowStrictly() {
        members();
        long position = 0;
        long before = 0;
        for (int i = 0; i < 20; i++) {
            position += i % 3 == 0 ? MAX_POINTS + 1 : 1;
            journal(A, position);
            run(Duration.ofSeconds(4));
            commitAll();
            assertThat(view().low().timeMs()).isGreaterThanOrEqualTo(before);
            before = view().low().timeMs();
        }
        List<CommittedCycle> history = conductor.status().committed();
        for (int i = 1; i < history.size(); i++) {
            assertThat(history.get(i).timeMs()).isGreaterThan(history.get(i - 1).timeMs());
        }
        assertThat(history).hasSizeGreaterThan(8);
    }

    // Begin: the cut

    @Test
    void cutsWhereEnoughJournalsAre() {
        members();
        announce("q1", Map.of(A, 10L, B, 4L));
        announce("q2", Map.of(A, 7L, B, 9L));
        run(EVERY);

        assertThat(cycle(1).cut()).isEqualTo(new TreeMap<>(Map.of(A, 7L, B, 4L)));
    }

    @Test
    void wantsNoMoreCopiesThanQueueNodesAreRegistered() {
        announce("p1", Map.of());
        announce("q1", Map.of(A, 10L));
        run(EVERY);

        assertThat(cycle(1).cut()).containsEntry(A, 10L);
    }

    @Test
    void leavesOutWhatTooFewLiveJournalsHold() {
        members();
        journal(A, 5);
        run(EVERY);
        kill("q2");
        announce("q1", Map.of(A, 9L));
        run(EVERY);

        assertThat(view().cycles().keySet()).containsExactly(1L);
        assertThat(cycle(1).cut()).containsEntry(A, 5L);
    }

    @Test
    void neverCutsBelowThePreviousCut() {
        members();
        journal(A, 5);
        run(EVERY);
        announce("q1", Map.of(A, 3L, B, 3L)); // q1 returned with a part of its disk
        announce("q2", Map.of(B, 3L));
        run(EVERY);

        assertThat(cycle(2).cut()).isEqualTo(new TreeMap<>(Map.of(A, 5L, B, 3L)));
    }

    @Test
    void countsTheJournalsOfNodesThatLeaveOrDiffer() {
        members();
        announce(new QueueMember(
                "q2", 12, "a", "h", 1012, "other", new TreeMap<>(), new TreeMap<>(Map.of(A, 5L)), true));
        announce("q1", Map.of(A, 6L));
        run(EVERY);

        assertThat(cycle(1).cut()).containsEntry(A, 5L);
        assertThat(cycle(1).queues()).containsExactly(11L);
    }

    @Test
    void prunesAStreamThatNobodyHoldsAnyMore() {
        members();
        journal(A, 5);
        run(EVERY);
        truncated("q1", Map.of(A, 5L), Map.of(A, 5L, B, 1L));
        truncated("q2", Map.of(A, 5L), Map.of(A, 5L, B, 1L));
        run(EVERY);
        assertThat(cycle(2).cut()).isEqualTo(new TreeMap<>(Map.of(B, 1L)));

        truncated("q1", Map.of(A, 5L), Map.of(A, 5L, B, 2L));
        truncated("q2", Map.of(A, 5L), Map.of(A, 5L, B, 2L));
        run(EVERY);

        assertThat(cycle(3).cut()).as("still known to the journals").isEqualTo(new TreeMap<>(Map.of(B, 2L)));
        commitAll();
        assertThat(view().low().totals().points()).isEqualTo(7);
    }

    /** A held but unannounced record brings a stream back. */
    @Test
    void keepsAStreamThatHasNotLookedFinishedForLong() {
        members();
        journal(A, 5);
        run(EVERY);
        run(EVERY.minus(FINISH_AFTER).plus(Duration.ofMillis(20)));
        truncated("q1", Map.of(A, 5L), Map.of(A, 5L, B, 1L));
        truncated("q2", Map.of(A, 5L), Map.of(A, 5L, B, 1L));
        run(FINISH_AFTER);
        assertThat(cycle(2).cut()).isEqualTo(new TreeMap<>(Map.of(A, 5L, B, 1L)));

        truncated("q1", Map.of(A, 5L), Map.of(A, 6L, B, 2L));
        run(EVERY.dividedBy(2));
        truncated("q2", Map.of(A, 5L), Map.of(A, 6L, B, 2L));
        run(EVERY.dividedBy(2));
        assertThat(cycle(3).cut()).isEqualTo(new TreeMap<>(Map.of(A, 6L, B, 2L)));
        commitAll();
        assertThat(view().low().totals().points()).isEqualTo(8);
    }

    @Test
    void keepsAStreamWhileAQueueNodeIsMissingOrStillHoldsItOrWritesIt() {
        members();
        journal(A, 5);
        run(EVERY);
        truncated("q1", Map.of(A, 4L), Map.of(A, 5L, B, 1L)); // q1 holds one record of stream A
        truncated("q2", Map.of(A, 5L), Map.of(A, 5L, B, 1L));
        run(EVERY);
        assertThat(cycle(2).cut()).containsEntry(A, 5L);
        commit(1);
        commit(2);

        announce(new QueueMember("q1", 11, "a", "h", A, "d", map(Map.of(A, 5L)), map(Map.of(A, 5L, B, 2L)), false));
        truncated("q2", Map.of(A, 5L), Map.of(A, 5L, B, 2L));
        run(EVERY);
        assertThat(cycle(3).cut()).as("q1 writes it").containsEntry(A, 5L);

        announce("q3", Map.of(B, 3L));
        run(Duration.ofMillis(20));
        kill("q3");
        truncated("q1", Map.of(A, 5L), Map.of(A, 5L, B, 3L));
        truncated("q2", Map.of(A, 5L), Map.of(A, 5L, B, 3L));
        run(EVERY);
        assertThat(cycle(4).cut()).as("q3 may hold it").containsEntry(A, 5L);

        cluster.unregister("q3");
        truncated("q1", Map.of(A, 5L), Map.of(A, 5L, B, 4L));
        truncated("q2", Map.of(A, 5L), Map.of(A, 5L, B, 4L));
        commitAll();
        run(EVERY);
        assertThat(cycle(5).cut()).doesNotContainKey(A);
    }

    // Begin: the lists

    @Test
    void waitsForAQueueNodeAndAProcessor() {
        announce("q1", Map.of(A, 5L));
        run(EVERY.multipliedBy(2));
        assertThat(view().cycles()).isEmpty();
        assertThat(waiting().cause()).isEqualTo(Cause.NO_PROCESSOR);

        announce("p1", Map.of());
        run(Duration.ofMillis(20));
        assertThat(view().cycles()).hasSize(1);
    }

    @Test
    void listsLiveMembersByTheirIds() {
        announce(processor("p2", 21, "d", false));
        announce(processor("p1", 22, "d", false));
        announce(queue("q2", 11, Map.of(), Map.of(A, 5L)));
        announce(queue("q1", 12, Map.of(), Map.of(A, 5L)));
        run(EVERY);

        assertThat(cycle(1).queues()).containsExactly(12L, 11L);
        assertThat(cycle(1).processors()).containsExactly(22L, 21L);
        assertThat(assignment(1)).isEqualTo(new Assignment(0, "d", List.of(12L, 11L), List.of(22L, 21L)));
    }

    @Test
    void listsNobodyThatLeaves() {
        members();
        announce(processor("p1", 21, "d", true));
        announce(new QueueMember("q1", 11, "a", "h", 1011, "d", map(Map.of()), map(Map.of(A, 5L)), true));
        announce("q2", Map.of(A, 5L));
        run(EVERY);

        assertThat(cycle(1).queues()).containsExactly(12L);
        assertThat(cycle(1).processors()).containsExactly(22L);
    }

    @Test
    void listsNobodyWhoseConfigurationDiffersAndCountsEachStartOnce() {
        members();
        announce(processor("p1", 21, "other", false));
        journal(A, 5);
        run(EVERY.multipliedBy(2));

        assertThat(cycle(1).processors()).containsExactly(22L);
        assertThat(counters.get(CoordinatorCounter.MEMBERS_EXCLUDED)).isEqualTo(1);
    }

    @Test
    void aMemberThatWaitsForTheChangeoverIsNoStranger() {
        members();
        journal(A, 5);
        run(EVERY);
        conductor.want("new");
        announce(processor("p1", 21, "new", false));
        journal(A, 6);
        run(EVERY.multipliedBy(2));

        assertThat(cycle(2).processors()).containsExactly(22L);
        assertThat(counters.get(CoordinatorCounter.MEMBERS_EXCLUDED)).isZero();
    }

    @Test
    void givesAPartOnlyToAJournalThatReachesDownToIt() {
        members();
        journal(A, 5);
        run(EVERY);
        announce(queue("q3", 13, Map.of(A, 8L), Map.of(A, 9L)));
        truncated("q1", Map.of(A, 5L), Map.of(A, 9L));
        truncated("q2", Map.of(A, 4L), Map.of(A, 9L));
        run(EVERY);

        assertThat(cycle(2).queues()).containsExactly(11L, 12L, 13L);
        assertThat(assignment(2).owners().get(0)).isEqualTo(11L);
        assertThat(assignment(2).owners().get(1)).isEqualTo(12L);
        assertThat(assignment(2).owners().get(2)).isIn(11L, 12L);
    }

    @Test
    void beginsNothingThatNoLiveJournalCanSend() {
        members();
        journal(A, 5);
        run(EVERY);
        truncated("q1", Map.of(A, 8L), Map.of(A, 9L));
        truncated("q2", Map.of(A, 8L), Map.of(A, 9L));
        run(EVERY);

        assertThat(view().cycles().keySet()).containsExactly(1L);
        assertThat(waiting().cause()).isEqualTo(Cause.JOURNAL_MISSING);
    }
}
