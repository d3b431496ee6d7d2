package io.chimera.faults.sim.plane;

import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.Positions;
import java.util.HashMap;
import java.util.Map;

/** What light members share: the records of the streams, the accounts of cycles, and the times of views. */
final class LightCluster {
    private final Map<Long, Long> seqs = new HashMap<>();
    private final Map<Long, Long> points = new HashMap<>();
    private final Map<Long, Long> seenLastNs = new HashMap<>();
    private final Map<Long, Integer> seen = new HashMap<>();

    /** Appends records to a stream. */
    void append(long stream, long records) {
        seqs.merge(stream, records, Long::sum);
    }

    long position(long stream) {
        return seqs.getOrDefault(stream, 0L);
    }

    /** Returns the number of records of a cycle. */
    long points(Cycle cycle, Positions before) {
        return points.computeIfAbsent(cycle.number(), number -> cycle.cut().recordsSince(before));
    }

    /** Notes that one more process sees the assignment of a cycle. */
    void seen(long cycle, long nowNs) {
        seen.merge(cycle, 1, Integer::sum);
        seenLastNs.put(cycle, nowNs);
    }

    int seenBy(long cycle) {
        return seen.getOrDefault(cycle, 0);
    }

    long seenLastNs(long cycle) {
        return seenLastNs.getOrDefault(cycle, 0L);
    }
}
