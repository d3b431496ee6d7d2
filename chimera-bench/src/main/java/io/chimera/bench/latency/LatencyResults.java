package io.chimera.bench.latency;

import java.util.ArrayList;
import java.util.LinkedHashMap;
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
    private final Map<String, List<Double>> pauses = new LinkedHashMap<>();
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

    /** Milliseconds of each pause of the queue node for its garbage collector, under a load. */
    void addPauses(Sync sync, int load, List<Double> pausesMs) {
        pauses.put(sync.setting() + "_" + load, pausesMs);
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

    /** By sync and load, as their figures are named. */
    Map<String, List<Double>> pauses() {
        return pauses;
    }

    /** By load. */
    Map<Integer, List<Long>> cycles() {
        return cycles;
    }
}
