package io.chimera.coordinator.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.ShardCommit;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests cycles whose commits do not account for all points between their cuts. */
final class UnaccountedTest extends ConductorRig {
    private long journaled;

    @BeforeEach
    void commitTheFirstCycleWithTwoPointsTooFew() {
        members();
        begin();
        commit(1, 3);
    }

    private void begin() {
        journaled += 5;
        journal(A, journaled);
        run(EVERY);
    }

    private void commit(long cycle, long counted) {
        int version = assignment(cycle).version();
        nodes.get("p1")
                .commit(new ShardCommit(cycle, 0, 21, new ShardCommit.Accounts(counted, 0, 0, 0), 2, 1), version);
        nodes.get("p2").commit(new ShardCommit(cycle, 1, 22, new ShardCommit.Accounts(0, 0, 0, 0), 0, 1), version);
        run(Duration.ofMillis(200));
    }

    @Test
    void holdsTheMarkAndKeepsTheRecordsOfTheCycle() {
        assertThat(view().low()).isEqualTo(LowMark.NONE);
        assertThat(view().cycles()).containsOnlyKeys(1L);
        assertThat(cluster.verified()).containsOnlyKeys(1L);
        assertThat(CycleAccounts.problem(view()).orElseThrow())
                .contains("Cycle 1", "5 points", "account for 3", "chimera cluster account 1");
        assertThat(CycleAccounts.unaccounted(view())).isEqualTo(1);
        assertThat(CycleAccounts.text(view(), 1).orElseThrow())
                .contains(
                        "5 points named by the cut", "unaccounted: 2", "shard 0: committed by p1", "part 0: sent by q");
    }

    @Test
    void laterCyclesGoOnBehindIt() {
        for (long cycle = 2; cycle <= 9; cycle++) {
            begin();
            commit(cycle, 5);
        }
        assertThat(view().cycles()).hasSize(9);
        assertThat(view().low()).isEqualTo(LowMark.NONE);

        conductor.decide(1, AccountDecision.ACCEPT);
        run(Duration.ofMillis(200));
        assertThat(view().low().cycle()).isEqualTo(9);
        assertThat(view().low().totals().unaccounted()).isEqualTo(2);
        assertThat(CycleAccounts.problem(view())).isEmpty();
    }

    @Test
    void noMoreCyclesThanInFlightAreOpenBesidesThoseHeld() {
        for (int i = 0; i < 6; i++) {
            begin();
        }
        assertThat(view().cycles()).as("one is held, three are in flight").hasSize(4);
        assertThat(conductor.status().waiting()).isNotEmpty();
    }

    @Test
    void anotherConductorHoldsItToo() {
        conductor = conductor(cluster.lead(), 2);
        lead.expire();
        begin();
        commit(2, 5);
        assertThat(view().low()).isEqualTo(LowMark.NONE);

        conductor.decide(1, AccountDecision.ACCEPT);
        run(Duration.ofMillis(200));
        assertThat(view().low().cycle()).isEqualTo(2);
    }

    @Test
    void theCycleIsProcessedAgainOnRequest() {
        begin();
        commit(2, 5);
        conductor.decide(1, AccountDecision.REPLAY);
        run(Duration.ofMillis(200));

        assertThat(view().cycles().get(1L).commits()).isEmpty();
        assertThat(assignment(1).version()).isEqualTo(1);
        assertThat(cluster.verified()).containsOnlyKeys(2L);
        nodes.get("p1").commit(new ShardCommit(1, 0, 21, new ShardCommit.Accounts(9, 0, 0, 0), 2, 1), 0);
        assertThat(view().cycles().get(1L).commits())
                .as("a commit under the old version")
                .isEmpty();
        commit(1, 5);
        assertThat(view().low().cycle()).isEqualTo(2);
        assertThat(view().low().totals().unaccounted()).isZero();
    }

    @Test
    void aCycleThatCountsTooManyPointsIsHeldToo() {
        conductor.decide(1, AccountDecision.ACCEPT);
        run(Duration.ofMillis(200));
        begin();
        commit(2, 6);
        assertThat(view().low().cycle()).isEqualTo(1);
        assertThat(CycleAccounts.problem(view()).orElseThrow()).contains("Cycle 2");
    }
}
