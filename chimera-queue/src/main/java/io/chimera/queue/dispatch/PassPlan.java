package io.chimera.queue.dispatch;

import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleGroups;
import java.util.List;

/**
 * Cycle and pipelines of one pass.
 *
 * @param number number of the transmissions of the pass
 * @param cycle cycle to send, with the streams of this node's group
 * @param parts parts of this node's group in the cycle
 * @param fingerprint fingerprint of the pipelines' digest
 * @param routes routes of the pipelines
 * @param isPast whether the cycle is a past cycle, sent to rebuild the state of a pipeline
 * @param pipeline pipeline whose state is rebuilt, named in all frames; 0 for an open cycle
 */
record PassPlan(
        int number,
        Cycle cycle,
        CycleGroups.Parts parts,
        int fingerprint,
        List<Route> routes,
        boolean isPast,
        int pipeline) {
    /** Plan for an open cycle. */
    static PassPlan open(int number, Cycle cycle, CycleGroups.Parts parts, int fingerprint, List<Route> routes) {
        return new PassPlan(number, cycle, parts, fingerprint, routes, false, 0);
    }

    /** Plan for a past cycle, sent to rebuild the state of a pipeline. */
    static PassPlan past(
            int number, Cycle cycle, CycleGroups.Parts parts, int fingerprint, List<Route> routes, int pipeline) {
        return new PassPlan(number, cycle, parts, fingerprint, routes, true, pipeline);
    }
}
