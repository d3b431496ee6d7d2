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
 * worker that starts again brings its results back, and computing them once more would take longer. The folder of a
 * worker that leaves can be read, but its results are needed elsewhere. One thread.
 */
final class LiveWorkers {
    /** Time for a worker to come back. */
    static final Duration GRACE = Duration.ofSeconds(10);

    private final Clock clock;
    private final Map<Long, Long> seenNs = new HashMap<>();
    private List<WorkerSession> live = List.of();
    private List<WorkerSession> staying = List.of();

    LiveWorkers(Clock clock) {
        this.clock = clock;
    }

    /** Takes the list of live workers. */
    void update(List<WorkerSession> workers) {
        live = List.copyOf(workers);
        staying = live.stream().filter(worker -> !worker.isLeaving()).toList();
        long nowNs = clock.nanoTime();
        for (WorkerSession worker : live) {
            if (worker.isLeaving()) {
                seenNs.remove(worker.folder());
            } else {
                seenNs.put(worker.folder(), nowNs);
            }
        }
        seenNs.values().removeIf(atNs -> nowNs - atNs > GRACE.toNanos());
    }

    /** Returns the workers that take work. */
    List<WorkerSession> staying() {
        return staying;
    }

    /** Returns whether a worker leaves, or is not known, and others stay. */
    boolean othersStay(long session) {
        return !staying.isEmpty() && staying.stream().noneMatch(worker -> worker.session() == session);
    }

    /** Returns whether any worker leaves. */
    boolean hasLeaving() {
        return staying.size() < live.size();
    }

    /** Returns whether the results of a folder will do: its worker takes work, or may come back. */
    boolean isExpected(long folder) {
        return seenNs.containsKey(folder);
    }

    /** Returns the folders whose worker takes work, or may come back. */
    Set<Long> expected() {
        return Set.copyOf(seenNs.keySet());
    }

    /** Returns whether a folder can be read now, and its worker does not leave. */
    boolean isStaying(long folder) {
        return staying.stream().anyMatch(worker -> worker.folder() == folder);
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
