package io.chimera.dataset.job;

import io.chimera.dataset.plan.Strategy;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * Splits of a job that no worker has begun, in their order. A worker reserves its next split at the end of the present
 * one, and requests the first bytes. A worker without another split takes the newest reservation, so that no worker is
 * idle while a split waits: the worker of the newest one has just reached the end of its present split, so the fewest
 * bytes are requested, and the others would begin their reserved splits sooner. Any thread.
 */
final class SplitQueue {
    private final Queue<Split> left;
    private final Supplier<Strategy> strategies;

    /** Reserved splits by worker, in the order of the reservations. */
    private final Map<Integer, AssignedSplit> reserved = new LinkedHashMap<>();

    /**
     * Creates a queue.
     *
     * @param splits splits to compute
     * @param strategies returns the strategy of the next split
     */
    SplitQueue(Collection<Split> splits, Supplier<Strategy> strategies) {
        left = new ArrayDeque<>(splits);
        this.strategies = strategies;
    }

    /**
     * Returns the split that a worker computes next, unless another one takes it before.
     *
     * @param worker number of the worker
     * @return empty when no split is left
     */
    synchronized Optional<AssignedSplit> reserve(int worker) {
        if (!reserved.containsKey(worker)) {
            assign().ifPresent(next -> reserved.put(worker, next));
        }
        return Optional.ofNullable(reserved.get(worker));
    }

    /**
     * Takes the next split of a worker.
     *
     * @param worker number of the worker
     * @return empty when all splits are begun
     */
    synchronized Optional<AssignedSplit> take(int worker) {
        AssignedSplit own = reserved.remove(worker);
        return own == null ? assign().or(this::takeReserved) : Optional.of(own);
    }

    private Optional<AssignedSplit> assign() {
        Split next = left.poll();
        return next == null ? Optional.empty() : Optional.of(new AssignedSplit(next, strategies.get()));
    }

    private Optional<AssignedSplit> takeReserved() {
        Optional<Integer> newest = reserved.keySet().stream().reduce((older, newer) -> newer);
        return newest.map(reserved::remove);
    }
}
