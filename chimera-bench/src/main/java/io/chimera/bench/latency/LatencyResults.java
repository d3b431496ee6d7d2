package io.chimera.bench.latency;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.AbstractHistogram;

/** What was measured so far. One thread. */
final class LatencyResults {
    private final Map<Sync, Double> maxima = new TreeMap<>();
    private final List<Acknowledged> acknowledged = new ArrayList<>();
    private final Map<Integer, List<Long>> cycles = new TreeMap<>();
    private AbstractHistogram disk;

    /** Nanoseconds of each sync of a plain file. */
    void addDisk(AbstractHistogram times) {
        disk = times;
    }

    /** Points per second that a cluster takes at most. */
    void addMaximum(Sync sync, double pointsPerSecond) {
        maxima.put(sync, pointsPerSecond);
    }

    void add(Acknowledged seen) {
        acknowledged.add(seen);
    }

    /** Milliseconds that cycles took under a load; the kind of sync is the same to them. */
    void addCycles(int load, List<Long> timesMs) {
        cycles.computeIfAbsent(load, absent -> new ArrayList<>()).addAll(timesMs);
    }

    Map<Sync, Double> maxima() {
        return maxima;
    }

    List<Acknowledged> acknowledged() {
        return acknowledged;
    }

    /** Of a plain file; empty when nothing was synced. */
    Optional<AbstractHistogram> disk() {
        return Optional.ofNullable(disk);
    }

    /** By load. */
    Map<Integer, List<Long>> cycles() {
        return cycles;
    }
}
