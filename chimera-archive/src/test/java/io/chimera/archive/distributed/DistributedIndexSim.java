package io.chimera.archive.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.metrics.ArchiveCounter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No packet that matches is missed, whoever comes, goes and is lost meanwhile; see {@link SimCluster}. */
final class DistributedIndexSim {
    private static final long SECONDS = 900;

    @Test
    void missesNothingIn12Runs() {
        run(0, 12);
    }

    @Test
    void leavesOutMostNodesInQuietTimes() {
        SimCluster cluster = new SimCluster(1);
        cluster.runCalmly(SECONDS);
        long before = cluster.skipped;
        long askedBefore = cluster.asked;
        cluster.runCalmly(SECONDS);

        assertThat(cluster.skipped - before).isGreaterThan(cluster.asked - askedBefore);
    }

    @Test
    @Tag("longsim")
    void missesNothingIn500Runs() {
        run(1_000, 500);
    }

    private static void run(long firstSeed, int runs) {
        long asked = 0;
        long skipped = 0;
        long taken = 0;
        long dropped = 0;
        for (long seed = firstSeed; seed < firstSeed + runs; seed++) {
            SimCluster cluster = new SimCluster(seed);
            try {
                cluster.run(SECONDS);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("Seed " + seed + ": " + e.getMessage(), e);
            }
            asked += cluster.asked;
            skipped += cluster.skipped;
            for (SimNode node : cluster.nodes) {
                taken += node.counters.get(ArchiveCounter.SHARED_TAKEN_BACK);
                dropped += node.counters.get(ArchiveCounter.SHARED_SPANS_DROPPED);
            }
            long behind = cluster.nodes.stream()
                    .mapToLong(node -> node.sender.behind())
                    .sum();
            assertThat(behind)
                    .as("spans that nobody holds five minutes after the last fault, seed %d", seed)
                    .isZero();
        }
        assertThat(skipped).as("nodes left out; %d were asked", asked).isGreaterThan(asked / 20);
        assertThat(taken).as("times that something was taken back").isPositive();
        assertThat(dropped).as("spans dropped for want of room").isPositive();
    }
}
