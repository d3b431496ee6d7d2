package io.chimera.coordinator.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleGroups;
import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.Replay;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.cluster.StreamGroups;
import io.chimera.common.metrics.CoordinatorCounter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests replays of past cycles in addition to live cycles. */
final class ReplayTest extends ConductorRig {
    private static final Duration MOMENT = Duration.ofMillis(100);

    private void holding(String id, CycleSpan... past) {
        holding(id, Positions.NONE, past);
    }

    /** Announces that both queue nodes hold a live stream up to a record, and all past cycles. */
    private void grow(long upTo) {
        holding("q1", Positions.of(A, upTo), new CycleSpan(1, 9));
        holding("q2", Positions.of(A, upTo), new CycleSpan(1, 9));
    }

    private void holding(String id, Positions positions, CycleSpan... past) {
        QueueMember plain = queue(id, 10 + Long.parseLong(id.substring(1)), Positions.NONE, positions);
        announce(new QueueMember(
                plain.id(),
                JournalGroup.DEFAULT,
                plain.session(),
                plain.address(),
                plain.http(),
                plain.stream(),
                plain.digests(),
                plain.bases(),
                plain.positions(),
                false,
                List.of(),
                0,
                List.of(past)));
    }

    private void ask(String id, long... cycles) {
        cluster.requestReplay(new ReplayRequest(
                id, "p", Arrays.stream(cycles).mapToObj(ReplayTest::past).toList()));
    }

    private static PastCycle past(long number) {
        return new PastCycle(
                number, CycleTime.of(1_000 * number), Positions.of(B, 10 * number), Positions.of(B, 10 * number + 4));
    }

    private OpenCycle open() {
        return view().replays().open().orElseThrow();
    }

    private ReplayRequest request(String id) {
        return view().replays().requests().get(id);
    }

    private void commitReplay(long points) {
        OpenCycle open = open();
        for (int shard = 0; shard < open.cycle().shards(); shard++) {
            cluster.join()
                    .commit(
                            new ShardCommit(
                                    open.cycle().number(),
                                    shard,
                                    21,
                                    new ShardCommit.Accounts(shard == 0 ? points : 0, 0, 0, 0),
                                    2,
                                    1),
                            open.assignment().version());
        }
        run(MOMENT);
    }

    @Test
    void waitsForAQueueNodeOfEachGroupWithRecordsOfTheCycle() {
        JournalGroup east = new JournalGroup("east");
        members();
        holding("q1", new CycleSpan(1, 9));
        joinEast(east, false);
        joinEast(east, true);
        cluster.requestReplay(new ReplayRequest(
                "r1",
                "p",
                List.of(new PastCycle(
                        3,
                        CycleTime.of(3_000),
                        2,
                        Positions.of(B, 30, A, 0),
                        Positions.of(B, 34, A, 5),
                        new CycleGroups(List.of(), StreamGroups.copyOf(Map.of(A, east)))))));
        run(Duration.ofSeconds(5));
        assertThat(view().replays().open())
                .as("the only queue node of the group leaves")
                .isEmpty();

        joinEast(east, false);
        run(Duration.ofSeconds(5));

        assertThat(open().cycle().parts(east).count()).isEqualTo(1);
        assertThat(open().cycle().cut()).isEqualTo(Positions.of(B, 34, A, 5));
    }

    @Test
    void skipsACycleOfARetiredGroupAtOnce() {
        members();
        holding("q1", new CycleSpan(1, 9));
        cluster.requestReplay(new ReplayRequest(
                "r1",
                "p",
                List.of(new PastCycle(
                        3,
                        CycleTime.of(3_000),
                        2,
                        Positions.of(B, 30, A, 0),
                        Positions.of(B, 34, A, 5),
                        new CycleGroups(List.of(), StreamGroups.copyOf(Map.of(A, new JournalGroup("east"))))))));
        run(MOMENT);

        assertThat(request("r1").skipped()).isEqualTo(1);
    }

    private void joinEast(JournalGroup east, boolean isLeaving) {
        QueueMember plain = queue("q9", 19, Positions.NONE, Positions.NONE);
        announce(new QueueMember(
                plain.id(),
                east,
                plain.session(),
                plain.address(),
                plain.http(),
                plain.stream(),
                plain.digests(),
                plain.bases(),
                plain.positions(),
                isLeaving,
                List.of(),
                0,
                List.of(new CycleSpan(1, 9))));
    }

    @Test
    void repeatsTheCyclesOfARequestOneAfterTheOtherAndKeepsTheirAccountsApart() {
        members();
        holding("q1", new CycleSpan(1, 9));
        holding("q2", new CycleSpan(1, 9));
        ask("r1", 3, 4);
        run(MOMENT);

        Cycle first = open().cycle();
        assertThat(first.number()).isEqualTo(Cycle.REPLAYS + 1);
        assertThat(first.timeMs()).isEqualTo(3_000);
        assertThat(first.cut()).isEqualTo(Positions.of(B, 34));
        assertThat(first.replay()).contains(new Replay("r1", 3, Positions.of(B, 30), "p"));
        assertThat(first.queues()).containsExactly(11L, 12L);
        assertThat(first.processors()).containsExactly(21L, 22L);
        assertThat(view().lastCut()).isEqualTo(Positions.NONE);

        commitReplay(4);
        assertThat(open().cycle().replay().orElseThrow().cycle()).isEqualTo(4);
        assertThat(request("r1").next()).isEqualTo(1);
        commitReplay(4);

        assertThat(view().replays().open()).isEmpty();
        assertThat(request("r1").isDone()).isTrue();
        assertThat(request("r1").accounts()).isEqualTo(new LowMark.Totals(8, 8, 0, 0, 0, 8));
        assertThat(view().replays().mark().totals()).isEqualTo(request("r1").accounts());
        assertThat(view().low()).isEqualTo(LowMark.NONE);
        assertThat(counters.get(CoordinatorCounter.CYCLES_REPLAYED)).isEqualTo(2);
        assertThat(counters.get(CoordinatorCounter.POINTS_REPLAYED)).isEqualTo(8);
        assertThat(counters.get(CoordinatorCounter.CYCLES_COMMITTED)).isZero();
        assertThat(counters.get(CoordinatorCounter.POINTS_UNACCOUNTED)).isZero();
    }

    @Test
    void leavesLiveTrafficItsSlotAndNeverStandsInItsWay() {
        members();
        grow(5);
        run(EVERY);
        grow(6);
        run(EVERY);
        assertThat(view().cycles()).hasSize(2);
        ask("r1", 3);
        run(MOMENT);
        assertThat(view().replays().open()).as("two of three slots are in use").isEmpty();

        commitAll();
        run(MOMENT);
        assertThat(view().replays().open()).isPresent();

        for (long seq = 7; seq < 10; seq++) {
            grow(seq);
            run(EVERY);
        }
        assertThat(view().cycles()).as("all three slots are still there").hasSize(3);
        commitAll();
        assertThat(view().low().cycle()).isEqualTo(5);
        assertThat(view().replays().open()).isPresent();
    }

    @Test
    void givesThePartsToThoseWhoHoldTheCycle() {
        members();
        holding("q2", new CycleSpan(3, 3));
        ask("r1", 3);
        run(MOMENT);

        assertThat(open().cycle().queues()).containsExactly(11L, 12L);
        assertThat(open().assignment().owners()).containsExactly(12L, 12L);
    }

    @Test
    void givesThePartsOfOneThatHoldsTheCycleNoMoreToAnother() {
        members();
        holding("q1", new CycleSpan(3, 3));
        holding("q2", new CycleSpan(3, 3));
        ask("r1", 3);
        run(MOMENT);
        holding("q1");
        run(STRAGGLER_AFTER.plus(MOMENT));

        assertThat(open().assignment().owners()).containsExactly(12L, 12L);
    }

    @Test
    void goesOnWithoutAProcessorThatIsGone() {
        members();
        holding("q1", new CycleSpan(3, 3));
        ask("r1", 3);
        run(MOMENT);
        kill("p1");
        run(GRACE.plus(MOMENT));

        assertThat(open().assignment().processors()).containsExactly(22L, 22L);
    }

    @Test
    void skipsACycleThatNobodyHoldsAnyMore() {
        members();
        holding("q1", new CycleSpan(4, 4));
        ask("r1", 3, 4);
        run(GRACE.plus(MOMENT));

        assertThat(request("r1").skipped()).isEqualTo(1);
        assertThat(open().cycle().replay().orElseThrow().cycle()).isEqualTo(4);
        assertThat(counters.get(CoordinatorCounter.REPLAYS_SKIPPED)).isEqualTo(1);

        holding("q1");
        run(GRACE.plus(MOMENT));
        assertThat(view().replays().open()).as("given up half-way").isEmpty();
        assertThat(request("r1").isDone()).isTrue();
        assertThat(request("r1").skipped()).isEqualTo(2);
        assertThat(view().replays().mark().totals()).isEqualTo(LowMark.Totals.ZERO);
    }

    @Test
    void waitsForAQueueNodeThatRestarts() {
        members();
        kill("q2");
        ask("r1", 3);
        run(Duration.ofSeconds(20));
        assertThat(request("r1").next()).isZero();

        holding("q2", new CycleSpan(3, 3));
        run(MOMENT);
        assertThat(view().replays().open()).isPresent();
    }

    @Test
    void waitsTheWholeTimeAgainAfterALostConnection() {
        members();
        kill("q2");
        ask("r1", 3);
        run(Duration.ofNanos(ReplayScheduler.LOST_NS).minus(MOMENT));
        lead.disconnect();
        run(MOMENT);
        lead.reconnect();
        run(Duration.ofNanos(ReplayScheduler.LOST_NS).minus(MOMENT));

        assertThat(request("r1").skipped()).isZero();
        run(MOMENT.multipliedBy(2));
        assertThat(request("r1").skipped()).isEqualTo(1);
    }

    @Test
    void givesUpWhatWasWithdrawn() {
        members();
        holding("q1", new CycleSpan(3, 4));
        ask("r1", 3, 4);
        run(MOMENT);
        assertThat(view().replays().open()).isPresent();
        cluster.withdrawReplay("r1");
        run(MOMENT);

        assertThat(view().replays().open()).isEmpty();
        assertThat(view().replays().mark().cycle()).isEqualTo(Cycle.REPLAYS + 1);
        ask("r2", 4);
        run(MOMENT);
        assertThat(open().cycle().number()).isEqualTo(Cycle.REPLAYS + 2);
    }

    @Test
    void anotherConductorGoesOnWhereTheFirstStopped() {
        members();
        holding("q1", new CycleSpan(3, 4));
        ask("r1", 3, 4);
        run(MOMENT);
        conductor = conductor(cluster.lead(), 2);
        lead.expire();
        lead.close();
        commitReplay(4);
        commitReplay(4);

        assertThat(request("r1").isDone()).isTrue();
        assertThat(request("r1").accounts().points()).isEqualTo(8);
        assertThat(view().replays().mark().totals().points()).isEqualTo(8);
    }

    @Test
    void keepsTheLastRequestsThatAreDone() {
        members();
        for (int i = 0; i < ReplayScheduler.DONE_KEPT + 3; i++) {
            ask(String.format("r%02d", i), 3);
        }
        run(Duration.ofSeconds(30));

        assertThat(view().replays().requests())
                .hasSize(ReplayScheduler.DONE_KEPT)
                .doesNotContainKey("r02");
        assertThat(view().replays().requests()).containsKey("r03");
    }
}
