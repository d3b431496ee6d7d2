package io.chimera.common.cluster;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a replay cycle repeats. Its record carries the time and the cut of the cycle that it repeats; this is the rest.
 *
 * @param request id of the request that asked for it
 * @param cycle number of the cycle that is repeated
 * @param before cut of the cycle before that one
 * @param pipeline the only pipeline that takes part, or empty for all
 */
public record Replay(String request, long cycle, SortedMap<Long, Long> before, String pipeline) {
    /** Takes an unmodifiable copy. */
    public Replay {
        before = Collections.unmodifiableSortedMap(new TreeMap<>(before));
    }

    /** Whether a pipeline takes part, by its name. */
    public boolean includes(String name) {
        return pipeline.isEmpty() || pipeline.equals(name);
    }
}
