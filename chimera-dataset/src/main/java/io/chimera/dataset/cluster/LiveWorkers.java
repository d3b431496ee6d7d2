package io.chimera.dataset.cluster;

import io.chimera.common.agent.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The live workers, and the folders that are there. The folder of a worker that has gone counts as there for a while: a
 * worker that starts again brings its results back, and computing them once more would take longer. One thread.
 */
final class LiveWorkers {
    /** Time for a worker to come back. */
    static final Duration GRACE = Duration.ofSeconds(10);

    private final Clock clock;
    private final Map<Long, Long> seenNs = new HashMap<>();
    private List<WorkerSession> live = List.of();

    LiveWorkers(Clock clock) {
        this.clock = clock;
    }

    /** Takes the list of live workers. */
    void update(List<WorkerSession> workers) {
        live = List.copyOf(workers);
        long nowNs = clock.nanoTime();
        live.forEach(worker -> seenNs.put(worker.folder(), nowNs));
        seenNs.values().removeIf(atNs -> nowNs - atNs > GRACE.toNanos());
    }

    List<WorkerSession> all() {
        return live;
    }

    /** Returns whether the results of a folder may be needed: its worker is live, or may come back. */
    boolean isExpected(long folder) {
        return seenNs.containsKey(folder);
    }

    /** Returns the folders whose worker is live, or may come back. */
    Set<Long> expected() {
        return Set.copyOf(seenNs.keySet());
    }

    /** Returns whether a folder can be read now. */
    boolean isThere(long folder) {
        return of(folder).isPresent();
    }

    /** Returns the worker with a folder. */
    Optional<WorkerSession> of(long folder) {
        return live.stream().filter(worker -> worker.folder() == folder).findFirst();
    }
}
