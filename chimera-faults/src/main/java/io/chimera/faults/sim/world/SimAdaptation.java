package io.chimera.faults.sim.world;

import io.chimera.common.cluster.CyclePeriods;
import io.chimera.common.config.binding.ProcessorWeight;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Choices that a seed's cluster leaves to its conductor.
 *
 * @param isPeriodAuto whether the conductor chooses the period of cycles
 * @param weights weights of the processors
 */
public record SimAdaptation(boolean isPeriodAuto, Weights weights) {
    /** Fixed period and equal weights. */
    public static final SimAdaptation NONE = new SimAdaptation(false, Weights.EQUAL);

    /** Fixed period and different weights. */
    public static final SimAdaptation BY_ID = new SimAdaptation(false, Weights.BY_ID);

    private static final int LONGEST = 4;

    private static final int WEIGHTS = 4;

    /** Weights of all processors. */
    public enum Weights {
        EQUAL,
        MEASURED,
        /** A weight from 1 to 4, by the last digit of the id. */
        BY_ID
    }

    /** Draws the choices of a seed: a fixed period and equal weights in half of the seeds each. */
    public static SimAdaptation draw(SplittableRandom random) {
        boolean isPeriodAuto = random.nextBoolean();
        return new SimAdaptation(
                isPeriodAuto,
                random.nextBoolean() ? Weights.EQUAL : random.nextBoolean() ? Weights.MEASURED : Weights.BY_ID);
    }

    /** Returns the bounds of the period of cycles. */
    CyclePeriods periods(long cycleMs) {
        Duration period = Duration.ofMillis(cycleMs);
        return isPeriodAuto
                ? new CyclePeriods(period.dividedBy(2), period.multipliedBy(LONGEST))
                : CyclePeriods.fixed(period);
    }

    /** Returns the weight of a processor. */
    ProcessorWeight weight(String id) {
        return switch (weights) {
            case EQUAL -> new ProcessorWeight(1);
            case MEASURED -> ProcessorWeight.AUTO;
            case BY_ID -> new ProcessorWeight(1 + id.charAt(id.length() - 1) % WEIGHTS);
        };
    }
}
