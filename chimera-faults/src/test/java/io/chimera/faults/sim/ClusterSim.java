package io.chimera.faults.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.faults.sim.mutant.Mutant;
import io.chimera.faults.sim.world.SimFaultKind;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clusters of real nodes keep every invariant under faults, and clusters with a defect do not. */
class ClusterSim {
    private static final int SEEDS = 500;
    private static final int SEEDS_LONG = 100_000;

    /** Maximum number of seeds to catch a mutant. */
    private static final int SEEDS_PER_MUTANT = 1_000;

    @Test
    void keepsEveryInvariantUnderFaults() {
        SimReport report = run(1, SEEDS);

        assertThat(report.asMap(0)).containsEntry("bad", List.of());
        assertThat(report.faults())
                .as("what took place: every kind of fault, changes of the configuration and of pipelines, and"
                        + " an adversary")
                .containsKeys("configuration-changed", "pipelines-changed", "journal-limited", "replay-requested")
                .containsKeys("intrusion", "frame-replayed", "frame-forged", "frame-foreign", "miscounted")
                .containsKeys("groups-or-lanes", "group-killed", "unequal-lanes", "pair-removed")
                .containsKeys("dead-removed", "lanes-restored", "disks-given-up", "alive-removed")
                .containsKeys("replica-away", "replica-slow", "replica-other-length", "replica-other-bytes")
                .containsKeys("replica-returned")
                .hasSize(SimFaultKind.values().length + 24);
    }

    /** Seeds that once found a defect in the nodes or in the invariants. */
    @ParameterizedTest
    @ValueSource(longs = {67, 77, 111, 302, 385, 561, 856, 1_919, 2_262, 13_654, 26_179, 62_107, 89_545, 98_421})
    void keepsEveryInvariantWhereOneDidNotHoldOnce(long seed) {
        assertThat(new SeedRun(seed, null, null).run()).returns(true, SeedResult::isSound);
    }

    @Test
    void catchesEveryMutant() {
        Map<Mutant, String> missed = new TreeMap<>();
        SeedFarm.onAllCores().hunt(List.of(Mutant.values()), 1, SEEDS_PER_MUTANT, (mutant, result) -> {
            if (result.isSound()) {
                missed.put(mutant, "not caught by " + SEEDS_PER_MUTANT + " seeds");
            }
        });

        assertThat(missed).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 139})
    void repeatsARunOfTheSameSeed(long seed) {
        SeedResult first = new SeedRun(seed, null, null).run();

        assertThat(new SeedRun(seed, null, null).run()).isEqualTo(first);
        assertThat(new SeedRun(seed + 1, null, null).run().digest()).isNotEqualTo(first.digest());
    }

    @Test
    @Tag("longsim")
    @Timeout(6 * 3_600)
    void keepsEveryInvariantUnderFaultsForHours() {
        assertThat(run(1, SEEDS_LONG).asMap(0)).containsEntry("bad", List.of());
    }

    private static SimReport run(long first, long count) {
        SimReport report = new SimReport();
        SeedFarm.onAllCores().run(first, count, report::add);
        return report;
    }
}
