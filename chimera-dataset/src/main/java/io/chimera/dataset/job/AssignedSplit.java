package io.chimera.dataset.job;

import io.chimera.dataset.plan.Strategy;

/**
 * A split and the way of its bytes.
 *
 * @param split the split
 * @param strategy strategy of the split
 */
record AssignedSplit(Split split, Strategy strategy) {}
