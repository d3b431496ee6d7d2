package io.chimera.faults.sim.plane;

import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.Positions;
import java.util.HashMap;
import java.util.Map;

/** State of all light members: the records of the streams, the accounts of cycles, the times of views. Any thread. */
final class LightCluster {
    private final Map<Long, Long> seqs = new HashMap<>();
    private final Map<Long, Long> points = new HashMap<>();
    private final Map<Long, Long> seenLastNs = new HashMap<>();
    private final Map<Long, Long> seenFirstNs = new HashMap<>();
    private final Map<Long, Integer> seen = new HashMap<>();
    private final Map<Object, Long> newest = new HashMap<>();

    /** Appends records to a stream. */
    synchronized void append(long stream, long records) {
        seqs.merge(stream, records, Long::sum);
    }

    synchronized long position(long stream) {
        return seqs.getOrDefault(stream, 0L);
    }

    /** Returns the number of records of a cycle. */
    synchronized long points(Cycle cycle, Positions before) {
        return points.computeIfAbsent(cycle.number(), number -> cycle.cut().recordsSince(before));
    }

    /** Notes that a process has a view with the assignments up to a cycle. */
    synchronized void seen(Object process, long newestCycle, long nowNs) {
        for (long cycle = newest.getOrDefault(process, 0L) + 1; cycle <= newestCycle; cycle++) {
            newest.put(process, cycle);
            seen.merge(cycle, 1, Integer::sum);
            seenFirstNs.putIfAbsent(cycle, nowNs);
            seenLastNs.put(cycle, nowNs);
        }
    }

    /** Returns the time from the first to the last of some processes that see a cycle. */
    synchronized long spreadNs(long cycle, int processes) {
        return seenBy(cycle) < processes ? Long.MAX_VALUE : seenLastNs(cycle) - seenFirstNs.getOrDefault(cycle, 0L);
    }

    synchronized int seenBy(long cycle) {
        return seen.getOrDefault(cycle, 0);
    }

    synchronized long seenLastNs(long cycle) {
        return seenLastNs.getOrDefault(cycle, 0L);
    }
}
