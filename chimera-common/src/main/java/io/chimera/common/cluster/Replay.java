package io.chimera.common.cluster;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reference of a replay cycle to the repeated cycle. The record of the replay cycle already carries the time and the
 * cut of the repeated cycle.
 *
 * @param request id of the replay request
 * @param cycle number of the repeated cycle
 * @param before cut before the repeated cycle
 * @param pipeline only participating pipeline, or empty for all
 */
public record Replay(String request, long cycle, SortedMap<Long, Long> before, String pipeline) {
    /** Copies the map. */
    public Replay {
        before = Collections.unmodifiableSortedMap(new TreeMap<>(before));
    }

    /** Returns whether a pipeline participates, by name. */
    public boolean includes(String name) {
        return pipeline.isEmpty() || pipeline.equals(name);
    }
}
