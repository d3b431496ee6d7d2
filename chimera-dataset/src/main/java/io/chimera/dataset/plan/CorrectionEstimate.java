package io.chimera.dataset.plan;

import java.util.OptionalDouble;

/**
 * Finds the {@link Corrections} that make the model predict the measured rates of a running job.
 *
 * <p>Where workers receive and compute on the same cores, a slow reception has two possible reasons: a slower source,
 * or more starvation. A single rate cannot tell the reasons apart, so both parts of {@code 1 / I + s / M} get the same
 * factor; a share of starvation above 1 counts as a slower source.
 */
final class CorrectionEstimate {
    private final StageRates sampled;
    private final boolean isShared;
    private final double receivingLimit;

    /**
     * Prepares an estimate.
     *
     * @param input the job as sampled
     * @param running the strategy of the job, with the number of cores for reception
     */
    CorrectionEstimate(PlanInput input, Prediction running) {
        Strategy strategy = running.strategy();
        sampled = StageRates.of(strategy, input.measurements(), input.extent(), Corrections.NONE);
        isShared = !sampled.onDataNodes() && running.receivingCores() == 0;
        int cores = running.receivingCores() > 0
                ? running.receivingCores()
                : sampled.nodes().coresPerNode();
        receivingLimit = sampled.receivingPerCore() * sampled.receivers() * cores;
    }

    /**
     * Returns the corrections.
     *
     * @param progress measured rates
     * @param before corrections so far; a factor without a new measurement stays the same
     */
    Corrections of(MeasuredProgress progress, Corrections before) {
        double computing = factor(progress.computingPerCore(), sampled.computingPerCore(), before.computing());
        double write = factor(progress.write(), sampled.write(), before.write());
        double read = factor(progress.read(), sampled.read(), before.read());
        Corrections others = new Corrections(before.reception(), before.starvation(), computing, write, read);
        double measured = progress.reception().orElse(0);
        return measured > 0 ? withReception(measured, others) : others;
    }

    private Corrections withReception(double measured, Corrections others) {
        double idle = Math.min(sampled.idle(), receivingLimit);
        double share = sampled.starvedShare();
        if (!isShared || share == 0) {
            return reception(measured / idle, others.starvation(), others);
        }
        double perComputedByte = 1 / (sampled.computingOfAllCores() * others.computing());
        double perByte = 1 / idle + share * perComputedByte;
        if (perByte * idle * (1 - share) >= 1) {
            return reception(measured / (idle * (1 - share)), others.starvation(), others);
        }
        double factor = measured * perByte;
        if (share / factor <= 1) {
            return reception(factor, 1 / factor, others);
        }
        return reception(1 / (1 / measured - perComputedByte) / idle, 1 / share, others);
    }

    private static Corrections reception(double factor, double starvation, Corrections others) {
        return new Corrections(factor, starvation, others.computing(), others.write(), others.read());
    }

    private static double factor(OptionalDouble measured, double sampled, double before) {
        return measured.isPresent() && !Double.isInfinite(sampled) ? measured.getAsDouble() / sampled : before;
    }
}
