package io.chimera.dataset.plan;

import java.time.Duration;

/**
 * Rules of a job for its strategy.
 *
 * @param wish strategy, or choice by measurements
 * @param prices prices of nodes, storage and reading
 * @param limits limits of the job
 * @param keepCopies time that copies are kept after the job
 */
public record StrategyRules(StrategyWish wish, Prices prices, WholeJobLimits limits, Duration keepCopies) {
    /** The strategy stream, without prices and limits. */
    public static final StrategyRules STREAM =
            new StrategyRules(StrategyWish.STREAM, Prices.NONE, WholeJobLimits.NONE, Duration.ZERO);
}
