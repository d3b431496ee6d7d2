package io.chimera.dataset.job;

import io.chimera.dataset.plan.Strategy;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * Splits of a job that no worker has begun, in their order. A worker reserves its next split at the end of the present
 * one, and requests the first bytes. A worker without another split takes a reserved one, so that no worker is idle
 * while a split waits. Any thread.
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
        Iterator<AssignedSplit> all = reserved.values().iterator();
        if (!all.hasNext()) {
            return Optional.empty();
        }
        AssignedSplit taken = all.next();
        all.remove();
        return Optional.of(taken);
    }
}
