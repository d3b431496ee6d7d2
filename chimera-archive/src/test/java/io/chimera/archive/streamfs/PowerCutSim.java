package io.chimera.archive.streamfs;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Power is cut at any point of a recorded run; unflushed data is lost, torn or out of order. Then the volume is opened,
 * checked, written again, and cut again.
 */
final class PowerCutSim {
    private static final int STEPS = 600;
    private static final int CUTS_OF_RUN = 10;

    @Test
    void losesNothingAcknowledgedIn500Cuts() {
        cut(0, 50);
    }

    @Test
    @Tag("longsim")
    void losesNothingAcknowledgedIn10000Cuts() {
        cut(1_000, 1_000);
    }

    private static void cut(long firstSeed, int runs) {
        for (long seed = firstSeed; seed < firstSeed + runs; seed++) {
            try {
                RecordedRun run = RecordedRun.of(seed, STEPS);
                Random random = new Random(seed);
                for (int i = 0; i < CUTS_OF_RUN; i += 2) {
                    RecordedRun second = run.cut(random.nextInt(run.events() + 1), random.nextLong(), STEPS / 4);
                    boolean isInRecovery = i % 4 == 0;
                    int events = isInRecovery ? second.eventsOfOpening() : second.events();
                    second.cut(random.nextInt(events + 1), random.nextLong(), 0);
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("Seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }
}
