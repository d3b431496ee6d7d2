package io.chimera.coordinator.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.metrics.CoordinatorCounter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the reassignment of work of live nodes that lag or are unreachable: rule 5. */
final class StragglerTest extends ConductorRig {
    @Test
    void givesAShardThatIsFarBehindTheOthersToOneOfThem() {
        beginWithThreeProcessors();
        commit(1, 0, 21);
        commit(1, 1, 22);
        run(STRAGGLER_AFTER.minusMillis(50));
        assertThat(assignment(1).version()).isZero();

        run(Duration.ofMillis(100));

        assertThat(assignment(1).version()).isEqualTo(1);
        assertThat(assignment(1).processors().get(2)).isIn(21L, 22L);
        assertThat(assignment(1).processors().subList(0, 2)).containsExactly(21L, 22L);
        assertThat(counters.get(CoordinatorCounter.SHARDS_REASSIGNED)).isEqualTo(1);
        assertThat(counters.get(CoordinatorCounter.LIVING_REASSIGNED)).isEqualTo(1);
    }

    @Test
    void waitsFourTimesTheMedianWhereTheOthersTookLong() {
        beginWithThreeProcessors();
        run(Duration.ofSeconds(20));
        commit(1, 0, 21);
        commit(1, 1, 22);
        run(Duration.ofSeconds(59));
        assertThat(assignment(1).version()).isZero();

        run(Duration.ofSeconds(2));

        assertThat(assignment(1).version()).isEqualTo(1);
    }

    @Test
    void takesNothingWhileNobodyGetsOn() {
        beginWithThreeProcessors();
        run(STRAGGLER_AFTER.multipliedBy(10));
        commit(1, 0, 21);
        run(STRAGGLER_AFTER.multipliedBy(10));

        assertThat(assignment(1).version()).isZero();
    }

    @Test
    void givesAShardToEachInTurnAndEachTimeWaitsTwiceAsLong() {
        beginWithThreeProcessors();
        commit(1, 0, 21);
        commit(1, 1, 22);
        run(STRAGGLER_AFTER.plusMillis(50));
        long second = assignment(1).processors().get(2);
        run(STRAGGLER_AFTER.multipliedBy(2).minusMillis(100));
        assertThat(assignment(1).version()).isEqualTo(1);
        run(Duration.ofMillis(200));
        long third = assignment(1).processors().get(2);

        assertThat(List.of(second, third)).containsExactlyInAnyOrder(21L, 22L);
        assertThat(assignment(1).version()).isEqualTo(2);

        run(STRAGGLER_AFTER.multipliedBy(4));
        assertThat(assignment(1).version()).isEqualTo(3);
        assertThat(assignment(1).processors().get(2)).isNotEqualTo(third);
    }

    @Test
    void beginsAnewAfterItWasNotConnected() {
        beginWithThreeProcessors();
        commit(1, 0, 21);
        commit(1, 1, 22);
        run(STRAGGLER_AFTER.minusSeconds(1));
        lead.disconnect();
        conductor.doWork();
        lead.reconnect();
        run(STRAGGLER_AFTER.minusSeconds(1));

        assertThat(assignment(1).version()).isZero();
    }

    @Test
    void givesAPartWhoseOwnersJournalStaysBehindToOneThatHoldsTheCycle() {
        members();
        announce("q3", Positions.NONE);
        journal(A, 5);
        run(EVERY);
        assertThat(assignment(1).owners()).containsExactly(11L, 12L, 13L);
        run(STRAGGLER_AFTER.minusMillis(50));
        assertThat(assignment(1).version()).isZero();

        run(Duration.ofMillis(100));

        assertThat(assignment(1).owners().subList(0, 2)).containsExactly(11L, 12L);
        assertThat(assignment(1).owners().get(2)).isIn(11L, 12L);
        assertThat(counters.get(CoordinatorCounter.PARTS_REASSIGNED)).isEqualTo(1);
    }

    @Test
    void givesTheShardsOfAProcessorThatCannotBeReachedToOthersAndListsItNoMoreUntilItCan() {
        beginWithThreeProcessors();
        reach("q1", 11, 5, List.of(22L));
        run(GRACE.plusMillis(50));

        assertThat(assignment(1).processors()).hasSize(3).doesNotContain(22L);
        reach("q1", 11, 9, List.of(22L));
        reach("q2", 12, 9, List.of());
        run(EVERY);
        assertThat(cycle(2).processors()).containsExactly(21L, 23L);

        reach("q1", 11, 12, List.of());
        reach("q2", 12, 12, List.of());
        run(EVERY);
        assertThat(cycle(3).processors()).containsExactly(21L, 22L, 23L);
    }

    @Test
    void givesThePartsOfAQueueNodeThatReachesNoProcessorToOthers() {
        beginWithThreeProcessors();
        reach("q2", 12, 5, List.of(21L, 22L, 23L));
        run(GRACE.plusMillis(50));

        assertThat(assignment(1))
                .isEqualTo(new Assignment(1, new ConfigurationDigest("d"), List.of(11L, 11L), List.of(21L, 22L, 23L)));
    }

    @Test
    void changesNothingWhereNobodyReachesAnybody() {
        beginWithThreeProcessors();
        reach("q1", 11, 5, List.of(21L, 22L, 23L));
        reach("q2", 12, 5, List.of(21L, 22L, 23L));
        run(STRAGGLER_AFTER.multipliedBy(3));

        assertThat(assignment(1).version()).isZero();
    }

    private void beginWithThreeProcessors() {
        members();
        announce(processor("p3", 23, "d", false));
        journal(A, 5);
        run(EVERY);
        assertThat(assignment(1))
                .isEqualTo(new Assignment(0, new ConfigurationDigest("d"), List.of(11L, 12L), List.of(21L, 22L, 23L)));
    }

    private void commit(long number, int shard, long session) {
        cluster.join()
                .commit(
                        new ShardCommit(
                                number, shard, session, new ShardCommit.Accounts(shard == 0 ? 5 : 0, 0, 0, 0), 1, 1),
                        assignment(number).version());
    }

    private void reach(String id, long session, long upTo, List<Long> unreachable) {
        announce(new QueueMember(
                id,
                JournalGroup.DEFAULT,
                session,
                "a",
                "h",
                session + 1000,
                List.of(new ConfigurationDigest("d")),
                Positions.NONE,
                Positions.of(A, upTo),
                false,
                unreachable,
                0,
                List.of()));
    }
}
