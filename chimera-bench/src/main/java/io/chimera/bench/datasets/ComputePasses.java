package io.chimera.bench.datasets;

import io.chimera.bench.datasets.event.EventParserType;

/** Passes of the computation of an event, so that a job computes for a wished time. */
final class ComputePasses {
    private ComputePasses() {}

    /**
     * Returns the passes per event.
     *
     * @param load computation relative to the transfer
     * @param transferSeconds time of the transfer
     * @param events number of events
     * @param passSeconds processor time of a pass
     */
    static int of(ComputeLoad load, double transferSeconds, long events, double passSeconds) {
        int cores = Runtime.getRuntime().availableProcessors();
        double perEvent = load.transfers() * transferSeconds * cores / events / passSeconds;
        return (int) Math.max(1, Math.min(EventParserType.PASSES_MAX, Math.round(perEvent)));
    }
}
