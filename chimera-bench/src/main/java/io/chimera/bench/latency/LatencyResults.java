package io.chimera.bench.latency;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.AbstractHistogram;

/** Results so far. One thread. */
final class LatencyResults {
    private final Map<Sync, Double> maxima = new TreeMap<>();
    private final List<Acknowledged> acknowledged = new ArrayList<>();
    private final Map<Integer, List<Long>> cycles = new TreeMap<>();
    private final Map<String, List<Double>> pauses = new LinkedHashMap<>();
    private AbstractHistogram disk;

    /** Adds the nanoseconds of each sync of a plain file. */
    void addDisk(AbstractHistogram times) {
        disk = times;
    }

    /** Adds the maximum rate of a cluster in points per second. */
    void addMaximum(Sync sync, double pointsPerSecond) {
        maxima.put(sync, pointsPerSecond);
    }

    void add(Acknowledged seen) {
        acknowledged.add(seen);
    }

    /** Adds the milliseconds of each GC pause of the queue node under a load. */
    void addPauses(Sync sync, int load, List<Double> pausesMs) {
        pauses.put(sync.setting() + "_" + load, pausesMs);
    }

    /**
     * Adds the milliseconds of cycles under a load, of all sync policies together: the policy does not affect cycles.
     */
    void addCycles(int load, List<Long> timesMs) {
        cycles.computeIfAbsent(load, absent -> new ArrayList<>()).addAll(timesMs);
    }

    Map<Sync, Double> maxima() {
        return maxima;
    }

    List<Acknowledged> acknowledged() {
        return acknowledged;
    }

    /** Returns the syncs of a plain file; empty when there were no syncs. */
    Optional<AbstractHistogram> disk() {
        return Optional.ofNullable(disk);
    }

    /** Returns the pauses by sync and load, in the format of figure names. */
    Map<String, List<Double>> pauses() {
        return pauses;
    }

    /** Returns the cycle times by load. */
    Map<Integer, List<Long>> cycles() {
        return cycles;
    }
}
