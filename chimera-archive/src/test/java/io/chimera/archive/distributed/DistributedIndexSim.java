package io.chimera.archive.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.metrics.ArchiveCounter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No matching packet is missed when nodes join, leave or crash; see {@link SimArchives}. */
final class DistributedIndexSim {
    private static final long SECONDS = 900;

    @Test
    void missesNothingIn4Runs() {
        run(0, 4);
    }

    @Test
    void noticesANodeThatDoesNotAnnounceItsGeneration() {
        assertThatThrownBy(() -> runAs(SimArchives.Mutant.NO_ANNOUNCE)).hasMessageContaining("is not to be found yet");
    }

    @Test
    void noticesANodeThatDoesNotSayWhichSpansAreVoid() {
        assertThatThrownBy(() -> runAs(SimArchives.Mutant.VOIDS_CLEARED)).hasMessageContaining("misses a packet");
    }

    @Test
    void noticesANodeThatTakesTheFirstGroupsOfASpanForAll() {
        assertThatThrownBy(() -> runAs(SimArchives.Mutant.LAST_TOO_EARLY)).hasMessageContaining("misses a packet");
    }

    @Test
    void noticesANodeThatForgetsOfWhatItTold() {
        assertThatThrownBy(() -> runAs(SimArchives.Mutant.NOT_TOLD)).hasMessageContaining("misses a packet");
    }

    @Test
    void noticesANodeThatTakesWhatWasMeantForAPlaceItHasLost() {
        assertThatThrownBy(() -> runAs(SimArchives.Mutant.INCARNATION_IGNORED)).hasMessageContaining("misses a packet");
    }

    private static void runAs(SimArchives.Mutant mutant) {
        for (long seed = 0; seed < 12; seed++) {
            new SimArchives(seed, mutant, true).run(SECONDS);
        }
    }

    @Test
    void leavesOutMostNodesInQuietTimes() {
        SimArchives cluster = SimArchives.calm(1);
        cluster.runCalmly(SECONDS);
        long before = cluster.skipped;
        long askedBefore = cluster.asked;
        cluster.runCalmly(SECONDS);

        assertThat(cluster.skipped - before).isGreaterThan(cluster.asked - askedBefore);
    }

    @Test
    void aStreamWithLittleTrafficKeepsNoSpanFromBeingShared() {
        for (long seed = 0; seed < 2; seed++) {
            SimArchives cluster = SimArchives.calm(seed);
            cluster.runCalmly(SECONDS);
            cluster.checkHeld(10);
        }
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
        long questions = 0;
        long excused = 0;
        for (long seed = firstSeed; seed < firstSeed + runs; seed++) {
            SimArchives cluster = new SimArchives(seed);
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
            questions += cluster.questions;
            excused += cluster.excused;
            assertThat(cluster.behind())
                    .as("spans that nobody holds five minutes after the last fault, seed %d", seed)
                    .isZero();
        }
        System.out.printf(
                "%d runs: %d questions; about what is over, nodes left out %d times and asked %d times; taken back %d"
                        + " times, %d spans dropped, %d packets not due yet%n",
                runs, questions, skipped, asked, taken, dropped, excused);
        assertThat(skipped).as("nodes left out; %d were asked", asked).isGreaterThan(asked / 20);
        assertThat(taken).as("times that something was taken back").isPositive();
        assertThat(dropped).as("spans dropped for want of room").isPositive();
    }
}
