package io.chimera.coordinator.conductor;

import static io.chimera.common.cluster.ClusterKit.leaving;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.coordinator.watch.Standstill.Cause;
import java.time.Duration;
import java.util.List;
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
        announce("q1", Positions.of(A, 3 * MAX_POINTS, B, MAX_POINTS));
        announce("q2", Positions.of(A, 3 * MAX_POINTS, B, MAX_POINTS));
        run(Duration.ofMillis(100));

        assertThat(cycle(1).cut()).isEqualTo(Positions.of(A, 750, B, 250));
        assertThat(cycle(2).cut()).isEqualTo(Positions.of(A, 1500, B, 500));
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
        assertThat(cycle(4).cut().at(A)).isEqualTo(5);
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
        announce("q1", Positions.of(A, 10, B, 4));
        announce("q2", Positions.of(A, 7, B, 9));
        run(EVERY);

        assertThat(cycle(1).cut()).isEqualTo(Positions.of(A, 7, B, 4));
    }

    @Test
    void wantsNoMoreCopiesThanQueueNodesAreRegistered() {
        announce("p1", Positions.NONE);
        announce("q1", Positions.of(A, 10));
        run(EVERY);

        assertThat(cycle(1).cut().at(A)).isEqualTo(10);
    }

    @Test
    void leavesOutWhatTooFewLiveJournalsHold() {
        members();
        journal(A, 5);
        run(EVERY);
        kill("q2");
        announce("q1", Positions.of(A, 9));
        run(EVERY);

        assertThat(view().cycles().keySet()).containsExactly(1L);
        assertThat(cycle(1).cut().at(A)).isEqualTo(5);
    }

    @Test
    void neverCutsBelowThePreviousCut() {
        members();
        journal(A, 5);
        run(EVERY);
        announce("q1", Positions.of(A, 3, B, 3)); // q1 returned with a part of its disk
        announce("q2", Positions.of(B, 3));
        run(EVERY);

        assertThat(cycle(2).cut()).isEqualTo(Positions.of(A, 5, B, 3));
    }

    @Test
    void countsTheJournalsOfNodesThatLeaveOrDiffer() {
        members();
        announce(new QueueMember("q2", 12, "a", "h", 1012, "other", Positions.NONE, Positions.of(A, 5), true));
        announce("q1", Positions.of(A, 6));
        run(EVERY);

        assertThat(cycle(1).cut().at(A)).isEqualTo(5);
        assertThat(cycle(1).queues()).containsExactly(11L);
    }

    @Test
    void prunesAStreamThatNobodyHoldsAnyMore() {
        members();
        journal(A, 5);
        run(EVERY);
        truncated("q1", Positions.of(A, 5), Positions.of(A, 5, B, 1));
        truncated("q2", Positions.of(A, 5), Positions.of(A, 5, B, 1));
        run(EVERY);
        assertThat(cycle(2).cut()).isEqualTo(Positions.of(B, 1));

        truncated("q1", Positions.of(A, 5), Positions.of(A, 5, B, 2));
        truncated("q2", Positions.of(A, 5), Positions.of(A, 5, B, 2));
        run(EVERY);

        assertThat(cycle(3).cut()).as("still known to the journals").isEqualTo(Positions.of(B, 2));
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
        truncated("q1", Positions.of(A, 5), Positions.of(A, 5, B, 1));
        truncated("q2", Positions.of(A, 5), Positions.of(A, 5, B, 1));
        run(FINISH_AFTER);
        assertThat(cycle(2).cut()).isEqualTo(Positions.of(A, 5, B, 1));

        truncated("q1", Positions.of(A, 5), Positions.of(A, 6, B, 2));
        run(EVERY.dividedBy(2));
        truncated("q2", Positions.of(A, 5), Positions.of(A, 6, B, 2));
        run(EVERY.dividedBy(2));
        assertThat(cycle(3).cut()).isEqualTo(Positions.of(A, 6, B, 2));
        commitAll();
        assertThat(view().low().totals().points()).isEqualTo(8);
    }

    @Test
    void keepsAStreamWhileAQueueNodeIsMissingOrStillHoldsItOrWritesIt() {
        members();
        journal(A, 5);
        run(EVERY);
        truncated("q1", Positions.of(A, 4), Positions.of(A, 5, B, 1)); // q1 holds one record of stream A
        truncated("q2", Positions.of(A, 5), Positions.of(A, 5, B, 1));
        run(EVERY);
        assertThat(cycle(2).cut().at(A)).isEqualTo(5);
        commit(1);
        commit(2);

        announce(new QueueMember("q1", 11, "a", "h", A, "d", Positions.of(A, 5), Positions.of(A, 5, B, 2), false));
        truncated("q2", Positions.of(A, 5), Positions.of(A, 5, B, 2));
        run(EVERY);
        assertThat(cycle(3).cut().at(A)).as("q1 writes it").isEqualTo(5);

        announce("q3", Positions.of(B, 3));
        run(Duration.ofMillis(20));
        kill("q3");
        truncated("q1", Positions.of(A, 5), Positions.of(A, 5, B, 3));
        truncated("q2", Positions.of(A, 5), Positions.of(A, 5, B, 3));
        run(EVERY);
        assertThat(cycle(4).cut().at(A)).as("q3 may hold it").isEqualTo(5);

        assertThat(cluster.unregister(List.of("q3"), view().journals().losses()))
                .isTrue();
        truncated("q1", Positions.of(A, 5), Positions.of(A, 5, B, 4));
        truncated("q2", Positions.of(A, 5), Positions.of(A, 5, B, 4));
        commitAll();
        run(EVERY);
        assertThat(cycle(5).cut().names(A)).isFalse();
    }

    // Begin: the lists

    @Test
    void waitsForAQueueNodeAndAProcessor() {
        announce("q1", Positions.of(A, 5));
        run(EVERY.multipliedBy(2));
        assertThat(view().cycles()).isEmpty();
        assertThat(waiting().cause()).isEqualTo(Cause.NO_PROCESSOR);

        announce("p1", Positions.NONE);
        run(Duration.ofMillis(20));
        assertThat(view().cycles()).hasSize(1);
    }

    @Test
    void listsLiveMembersByTheirIds() {
        announce(processor("p2", 21, "d", false));
        announce(processor("p1", 22, "d", false));
        announce(queue("q2", 11, Positions.NONE, Positions.of(A, 5)));
        announce(queue("q1", 12, Positions.NONE, Positions.of(A, 5)));
        run(EVERY);

        assertThat(cycle(1).queues()).containsExactly(12L, 11L);
        assertThat(cycle(1).processors()).containsExactly(22L, 21L);
        assertThat(assignment(1))
                .isEqualTo(new Assignment(0, new ConfigurationDigest("d"), List.of(12L, 11L), List.of(22L, 21L)));
    }

    @Test
    void listsNobodyThatLeaves() {
        members();
        announce(processor("p1", 21, "d", true));
        announce(new QueueMember("q1", 11, "a", "h", 1011, "d", Positions.NONE, Positions.of(A, 5), true));
        announce("q2", Positions.of(A, 5));
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
        conductor.want(new ConfigurationDigest("new"));
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
        announce(queue("q3", 13, Positions.of(A, 8), Positions.of(A, 9)));
        truncated("q1", Positions.of(A, 5), Positions.of(A, 9));
        truncated("q2", Positions.of(A, 4), Positions.of(A, 9));
        run(EVERY);

        assertThat(cycle(2).queues()).containsExactly(11L, 12L, 13L);
        assertThat(assignment(2).owners().get(0)).isEqualTo(11L);
        assertThat(assignment(2).owners().get(1)).isEqualTo(12L);
        assertThat(assignment(2).owners().get(2)).isIn(11L, 12L);
    }

    /** Enough journals hold the new points, so their number is not the reason. */
    @Test
    void aGroupWithoutTheStartOfTheCycleMissesAJournal() {
        members();
        announce(member("q9", new JournalGroup("east"), Positions.NONE, Positions.of(B, 5)));
        run(EVERY);
        announce(member("q9", new JournalGroup("east"), Positions.of(B, 8), Positions.of(B, 9)));
        run(EVERY);

        assertThat(view().cycles().keySet()).containsExactly(1L);
        assertThat(waiting().cause()).isEqualTo(Cause.JOURNAL_MISSING);
        assertThat(waiting().text()).contains("east");
    }

    /** The other nodes have fewer lanes, so no other journal can get the records of the lane. */
    @Test
    void theLastNodeOfALaneGetsPartsWhileItLeaves() {
        members();
        joinAndLeave(member("q9", JournalGroup.DEFAULT.lane(1), Positions.NONE, Positions.of(B, 9)));
        journal(A, 5);
        run(EVERY);

        assertThat(cycle(1).queues()).contains(19L);
    }

    @Test
    void theLastNodeOfARetiringGroupGetsParts() {
        members();
        joinAndLeave(member("q9", new JournalGroup("east"), Positions.NONE, Positions.of(B, 9)));
        journal(A, 5);
        run(EVERY);

        assertThat(cycle(1).queues()).contains(19L);
    }

    private void joinAndLeave(QueueMember member) {
        announce(member);
        announce(leaving(member));
    }

    private static QueueMember member(String id, JournalGroup group, Positions bases, Positions positions) {
        return queue(id, 10 + Long.parseLong(id.substring(1)), bases, positions).in(group);
    }

    @Test
    void beginsNothingThatNoLiveJournalCanSend() {
        members();
        journal(A, 5);
        run(EVERY);
        truncated("q1", Positions.of(A, 8), Positions.of(A, 9));
        truncated("q2", Positions.of(A, 8), Positions.of(A, 9));
        run(EVERY);

        assertThat(view().cycles().keySet()).containsExactly(1L);
        assertThat(waiting().cause()).isEqualTo(Cause.JOURNAL_MISSING);
    }
}
