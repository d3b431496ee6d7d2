package io.chimera.common.cluster;

import static java.util.Objects.requireNonNull;

/**
 * Reference of a replay cycle to the repeated cycle. The record of the replay cycle already carries the time and the
 * cut of the repeated cycle.
 *
 * @param request id of the replay request
 * @param cycle number of the repeated cycle
 * @param before cut before the repeated cycle
 * @param pipeline only participating pipeline, or empty for all
 */
public record Replay(String request, long cycle, Positions before, String pipeline) {
    /** Refuses a reference without a cut. */
    public Replay {
        requireNonNull(before, "before");
    }

    /** Returns a copy with another cut before the cycle. */
    Replay of(Positions cutBefore) {
        return new Replay(request, cycle, cutBefore, pipeline);
    }

    /** Returns whether a pipeline participates, by name. */
    public boolean includes(String name) {
        return pipeline.isEmpty() || pipeline.equals(name);
    }
}
