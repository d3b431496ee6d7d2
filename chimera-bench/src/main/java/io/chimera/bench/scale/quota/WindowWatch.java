package io.chimera.bench.scale.quota;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Observes a loaded cluster from the first commit after the settling time to the first commit after the duration. A
 * window between commits has no error from the second between two commits. One thread.
 */
final class WindowWatch implements LimitedCluster.Polling {
    private final LimitedCluster cluster;
    private final long settlingNs;
    private final long durationNs;
    private final Map<Long, Double> skews = new HashMap<>();
    private long firstNs = -1;
    private long stored = -1;
    private Mark begin;
    private Window window;

    /** Counters at a commit. */
    private record Mark(long ns, long cycle, long stored, LimitedCluster.Usage usage) {}

    WindowWatch(LimitedCluster cluster, long settlingNs, long durationNs) {
        this.cluster = cluster;
        this.settlingNs = settlingNs;
        this.durationNs = durationNs;
    }

    @Override
    public boolean again(long ns, JsonNode status) throws IOException {
        if (firstNs < 0) {
            firstNs = ns;
        }
        long now = LimitedCluster.stored(status);
        boolean isCommit = stored >= 0 && now > stored;
        stored = now;
        if (!isCommit || ns - firstNs < settlingNs) {
            return true;
        }
        if (begin == null) {
            begin = mark(ns, status);
            return true;
        }
        for (JsonNode cycle : status.path("committed")) {
            long number = cycle.path("cycle").asLong();
            if (number > begin.cycle()) {
                skews.put(number, cycle.path("skew").asDouble());
            }
        }
        if (ns - begin.ns() < durationNs) {
            return true;
        }
        window = window(mark(ns, status));
        return false;
    }

    private Mark mark(long ns, JsonNode status) throws IOException {
        return new Mark(ns, status.path("last_cycle").asLong(), LimitedCluster.stored(status), cluster.usage());
    }

    private Window window(Mark end) {
        double seconds = (end.ns() - begin.ns()) / (double) TimeUnit.SECONDS.toNanos(1);
        LimitedCluster.Usage before = begin.usage();
        LimitedCluster.Usage after = end.usage();
        return new Window(
                cluster.parts(),
                seconds,
                end.stored() - begin.stored(),
                end.cycle() - begin.cycle(),
                after.limitedSeconds() - before.limitedSeconds(),
                after.otherSeconds() - before.otherSeconds(),
                cluster.quotaCores() * seconds,
                after.throttledSeconds() - before.throttledSeconds(),
                after.machine().busySince(before.machine()),
                skews.values().stream()
                        .mapToDouble(Double::doubleValue)
                        .average()
                        .orElse(1));
    }

    /** Returns the observation; after the last poll. */
    Window window() {
        return window;
    }
}
