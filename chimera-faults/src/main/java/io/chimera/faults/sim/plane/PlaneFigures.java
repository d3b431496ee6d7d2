package io.chimera.faults.sim.plane;

/**
 * Costs of the control plane per cycle.
 *
 * @param size size of the cluster
 * @param cycles number of measured cycles
 * @param elapsedNs virtual time of the measured cycles
 * @param counts requests in all measured cycles
 * @param conductorNs CPU time of the leading coordinator in all measured cycles
 * @param memberNs CPU time of all other processes in all measured cycles
 * @param convergeNs longest time from the begin of a measured cycle to the last process that sees its assignment
 * @param viewBytes content of the znodes from which a view of the coordinator is built
 */
public record PlaneFigures(
        PlaneSize size,
        int cycles,
        long elapsedNs,
        PlaneCounts counts,
        long conductorNs,
        long memberNs,
        long convergeNs,
        long viewBytes) {

    double perCycle(long total) {
        return (double) total / cycles;
    }

    /** Returns the share of a core that the conductor needs with cycles of 1 s. */
    double conductorShare() {
        return (double) conductorNs / elapsedNs;
    }

    /** Returns the share of a core that the session of one other process needs. */
    double memberShare() {
        return (double) memberNs / size.nodes() / elapsedNs;
    }
}
