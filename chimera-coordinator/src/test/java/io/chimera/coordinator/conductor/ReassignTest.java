package io.chimera.coordinator.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.metrics.CoordinatorCounter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the reassignment of work of dead nodes: rule 5, sentence by sentence. */
final class ReassignTest extends ConductorRig {
    @Test
    void givesTheShardsOfAGoneProcessorToTheOthersAfterTheGrace() {
        members();
        announce(processor("p3", 23, "d", false));
        journal(A, 5);
        run(EVERY);
        kill("p1");
        run(GRACE.minusMillis(20));
        assertThat(assignment(1).version()).isZero();

        run(Duration.ofMillis(40));

        assertThat(assignment(1).version()).isEqualTo(1);
        assertThat(assignment(1).processors().get(0)).isIn(22L, 23L);
        assertThat(assignment(1).processors().subList(1, 3)).containsExactly(22L, 23L);
        assertThat(assignment(1).owners()).containsExactly(11L, 12L);
        assertThat(counters.get(CoordinatorCounter.SHARDS_REASSIGNED)).isEqualTo(1);
        assertThat(counters.get(CoordinatorCounter.PARTS_REASSIGNED)).isZero();
    }

    @Test
    void reassignsNothingWhenTheSessionIsBackWithinTheGrace() {
        members();
        journal(A, 5);
        run(EVERY);
        nodes.get("p1").expire();
        run(GRACE.dividedBy(2));
        cluster.step(); // the processor announces its session again
        run(GRACE.multipliedBy(3));

        assertThat(assignment(1).version()).isZero();
    }

    @Test
    void leavesCommittedShardsWhereTheyAre() {
        members();
        journal(A, 5);
        run(EVERY);
        nodes.get("p1").commit(new ShardCommit(1, 0, 21, new ShardCommit.Accounts(5, 0, 0, 0), 5, 1), 0);
        kill("p1");
        run(GRACE.multipliedBy(3));

        assertThat(assignment(1).version()).isZero();
    }

    @Test
    void spreadsTheWorkOfSeveralGoneNodesInTurn() {
        for (int i = 1; i <= 6; i++) {
            announce(processor("p" + i, 20 + i, "d", false));
        }
        announce("q1", Positions.of(A, 5));
        run(EVERY);
        List.of("p1", "p2", "p3", "p4").forEach(this::kill);
        run(GRACE.plusMillis(20));

        assertThat(assignment(1).version()).isEqualTo(1);
        assertThat(assignment(1).processors()).containsOnly(25L, 26L);
        assertThat(assignment(1).processors().stream().filter(taker -> taker == 25L))
                .hasSize(3);
    }

    @Test
    void givesThePartsOfAGoneQueueNodeOnlyToJournalsThatReachDown() {
        members();
        journal(A, 5);
        run(EVERY);
        announce(queue("q3", 13, Positions.of(A, 6), Positions.of(A, 9)));
        journal(A, 9);
        run(EVERY);
        assertThat(assignment(2).owners()).hasSize(3).doesNotContain(13L);

        kill("q1");
        run(GRACE.plusMillis(20));

        assertThat(assignment(2).owners()).containsOnly(12L);
        assertThat(counters.get(CoordinatorCounter.PARTS_REASSIGNED)).isPositive();
    }

    @Test
    void leavesPartsWhereTheyAreOnceEveryShardIsCommitted() {
        members();
        for (int period = 1; period <= 3; period++) {
            journal(A, period);
            run(EVERY);
        }
        commit(2); // out of order, between two uncommitted cycles
        kill("q1");
        run(GRACE.plusMillis(50));

        assertThat(assignment(1).owners()).containsExactly(12L, 12L);
        assertThat(assignment(2))
                .isEqualTo(new Assignment(0, new ConfigurationDigest("d"), List.of(11L, 12L), List.of(21L, 22L)));
        assertThat(assignment(3).owners()).containsExactly(12L, 12L);
    }

    @Test
    void waitsWhereNobodyCanTakeTheWorkAndGivesItToWhoeverJoins() {
        members();
        journal(A, 5);
        run(EVERY);
        kill("p1");
        kill("p2");
        run(EVERY);
        assertThat(assignment(1).version()).isZero();

        announce(processor("p3", 23, "d", false));
        run(Duration.ofMillis(20));

        assertThat(assignment(1))
                .isEqualTo(new Assignment(1, new ConfigurationDigest("d"), List.of(11L, 12L), List.of(23L, 23L)));
    }

    @Test
    void prefersThoseThatStayButLetsALeavingOneFinishWhatNobodyElseCan() {
        members();
        announce(processor("p3", 23, "d", false));
        journal(A, 5);
        run(EVERY);
        announce(processor("p2", 22, "d", true));
        kill("p1");
        run(GRACE.plusMillis(20));
        assertThat(assignment(1).processors()).containsExactly(23L, 22L, 23L);

        kill("p3");
        run(GRACE.plusMillis(20));
        assertThat(assignment(1).processors()).containsExactly(22L, 22L, 22L);
    }

    @Test
    void givesNothingToAMemberWhoseConfigurationDiffers() {
        members();
        announce(processor("p3", 23, "other", false));
        journal(A, 5);
        run(EVERY);
        kill("p1");
        run(GRACE.plusMillis(20));

        assertThat(assignment(1).processors()).containsExactly(22L, 22L);
    }
}
