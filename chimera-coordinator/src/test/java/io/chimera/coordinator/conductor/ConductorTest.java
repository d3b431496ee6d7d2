package io.chimera.coordinator.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.testkit.cluster.MemoryCluster;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests the end of cycles, and the conditions under which the conductor waits: rules 6 and 9, sentence by sentence. */
final class ConductorTest extends ConductorRig {
    // Verify and advance

    @Test
    void advancesOverTheCommittedPrefixOnly() {
        members();
        for (int period = 1; period <= 3; period++) {
            journal(A, period * 10L);
            run(EVERY);
        }
        commit(2);
        commit(3);
        run(Duration.ofMillis(50));
        assertThat(view().low()).isEqualTo(LowMark.NONE);
        assertThat(cluster.verified().keySet()).containsExactly(2L, 3L);

        Cycle third = cycle(3);
        commit(1);
        run(Duration.ofMillis(50));

        assertThat(view().cycles()).isEmpty();
        assertThat(cluster.verified()).isEmpty();
        assertThat(view().low())
                .isEqualTo(new LowMark(
                        3,
                        third.timeMs(),
                        third.cut(),
                        new ConfigurationDigest("d"),
                        new LowMark.Totals(30, 30, 0, 0, 0, 30)));
        assertThat(counters.get(CoordinatorCounter.CYCLES_COMMITTED)).isEqualTo(3);
    }

    @Test
    void countsPointsThatNoCommitAccountsFor() {
        members();
        journal(A, 5);
        run(EVERY);
        nodes.get("p1").commit(new ShardCommit(1, 0, 21, new ShardCommit.Accounts(1, 1, 0, 0), 2, 1), 0);
        nodes.get("p2").commit(new ShardCommit(1, 1, 22, new ShardCommit.Accounts(0, 0, 1, 1), 0, 1), 0);
        run(Duration.ofMillis(20));

        assertThat(counters.get(CoordinatorCounter.POINTS_UNACCOUNTED)).isEqualTo(1);
        assertThat(view().low()).as("journals keep the cycle").isEqualTo(LowMark.NONE);
    }

    @Test
    void remembersTheLastCyclesWithTheirLatency() {
        members();
        journal(A, 5);
        clock.advance(EVERY);
        conductor.doWork();
        run(Duration.ofMillis(250));
        commit(1);
        conductor.doWork();

        assertThat(conductor.status().committed()).hasSize(1);
        assertThat(conductor.status().lastCommitLatencyMs()).isBetween(200L, 300L);
        assertThat(counters.get(CoordinatorCounter.COMMIT_LATENCY_MS)).isBetween(200L, 300L);
        assertThat(counters.get(CoordinatorCounter.COMMIT_LATENCIES)).isEqualTo(1);
        for (int i = 0; i < 150; i++) {
            journal(A, 6 + i);
            run(EVERY);
            commitAll();
        }
        assertThat(conductor.status().committed()).hasSize(100);
        assertThat(conductor.status().committed().get(99).cycle()).isEqualTo(151);
    }

    @Test
    void tellsHowMuchHeavierTheHeaviestShardOfACycleIsThanTheMean() {
        members();
        assertThat(conductor.status().lastSkew()).isEqualTo(1);
        journal(A, 8);
        run(EVERY);
        nodes.get("p1").commit(new ShardCommit(1, 0, 21, new ShardCommit.Accounts(6, 0, 0, 0), 2, 1), 0);
        nodes.get("p2").commit(new ShardCommit(1, 1, 22, new ShardCommit.Accounts(2, 0, 0, 0), 0, 1), 0);
        run(Duration.ofMillis(20));

        assertThat(conductor.status().lastSkew()).isEqualTo(1.5);
    }

    // Lead and connection

    @Test
    void doesNothingWhileNotConnected() {
        members();
        journal(A, 5);
        run(EVERY);
        lead.disconnect();
        journal(A, 9);
        kill("p1");
        run(EVERY.multipliedBy(3));
        assertThat(cluster.truth().cycles().keySet()).containsExactly(1L);
        assertThat(cluster.truth().cycles().get(1L).assignment().version()).isZero();

        lead.reconnect();
        run(Duration.ofMillis(20));
        assertThat(assignment(1).version()).as("the grace begins anew").isZero();
        run(GRACE.plusMillis(20));
        assertThat(assignment(1).version()).isEqualTo(1);
        assertThat(view().cycles().keySet()).contains(2L);
        assertThat(counters.get(CoordinatorCounter.ELECTIONS)).isEqualTo(1);
    }

    @Test
    void countsTheGraceAnewAfterItWasNotConnected() {
        members();
        journal(A, 5);
        run(EVERY);
        kill("p1");
        run(GRACE.dividedBy(2));
        lead.disconnect();
        run(GRACE.multipliedBy(3));
        lead.reconnect();
        run(GRACE.dividedBy(2));
        assertThat(assignment(1).version())
                .as("it may have been there meanwhile")
                .isZero();

        run(GRACE);
        assertThat(assignment(1).version()).isEqualTo(1);
    }

    @Test
    void doesNothingOnAViewThatMayBeOutOfDate() {
        members();
        journal(A, 5);
        clock.advance(EVERY);
        ClusterView old =
                new ClusterView(1, false, view().queues(), view().processors(), 2, view().cycles(), view().low());

        new Conductor(new StaleStore(lead, old), clock, settings(2), counters).doWork();

        assertThat(view().cycles()).isEmpty();
        conductor.doWork();
        assertThat(view().cycles()).hasSize(1);
    }

    @Test
    void doesNothingWhileAnotherLeads() {
        Conductor second = conductor(cluster.lead(), 2);
        members();
        journal(A, 5);
        for (int i = 0; i < 100; i++) {
            clock.advance(Duration.ofSeconds(1));
            second.doWork();
        }
        assertThat(view().cycles()).isEmpty();
        assertThat(second.status()).isEqualTo(ConductorStatus.FOLLOWING);
    }

    @Test
    void goesOnFromWhatTheConductorBeforeItLeft() {
        members();
        journal(A, 5);
        run(EVERY);
        journal(A, 6);
        run(EVERY);
        commit(2);
        run(Duration.ofMillis(20));
        Cycle first = cycle(1);
        MemoryCluster.Lead next = cluster.lead();
        lead.disconnect();
        lead.expire();
        lead = next;
        conductor = conductor(next, 2);
        kill("p1");
        journal(A, 9);
        run(EVERY);

        assertThat(cycle(1)).isEqualTo(first);
        assertThat(assignment(1).processors()).containsExactly(22L, 22L);
        assertThat(cycle(3).epoch()).isEqualTo(2);
        assertThat(cycle(3).timeMs()).isGreaterThan(cycle(2).timeMs());
        commitAll();
        assertThat(view().low().cycle()).isEqualTo(3);
        assertThat(view().low().totals()).isEqualTo(new LowMark.Totals(9, 9, 0, 0, 0, 9));
        assertThat(conductor.status().committed().get(0).commitLatencyMs())
                .as("begun by another")
                .isEqualTo(-1);
    }

    @Test
    void neitherRepeatsNorLosesAWriteWhoseReplyGotLost() {
        members();
        for (long position = 1; position <= 6; position++) {
            lead.loseNextReply();
            journal(A, position);
            run(EVERY);
            lead.loseNextReply();
            commitAll();
        }
        kill("p1");
        journal(A, 9);
        run(EVERY);
        lead.loseNextReply();
        run(EVERY);
        commitAll();

        assertThat(view().low().cycle()).isEqualTo(7);
        assertThat(view().low().totals()).isEqualTo(new LowMark.Totals(9, 9, 0, 0, 0, 9));
    }

    @Test
    void doesNotHammerAStoreThatRefuses() {
        members();
        journal(A, 5);
        MemoryCluster.Lead refusing = lead;
        conductor = new Conductor(new RefusingStore(refusing), clock, settings(2), counters);
        run(EVERY.plusSeconds(1));

        assertThat(counters.get(CoordinatorCounter.WRITES_REFUSED)).isBetween(100L, 230L);
    }
}
