package io.chimera.faults.sim.plane;

/**
 * Costs of the control plane with a real ZooKeeper server.
 *
 * @param size size of the cluster
 * @param cycles number of measured cycles
 * @param elapsedNs measured time
 * @param writes transactions of ZooKeeper
 * @param conductorNs CPU time of the conductor's thread
 * @param spreadNs longest time from the first to the last process that sees the assignment of a cycle
 */
public record RealFigures(PlaneSize size, int cycles, long elapsedNs, long writes, long conductorNs, long spreadNs) {
    double writesPerCycle() {
        return (double) writes / cycles;
    }

    double conductorShare() {
        return (double) conductorNs / elapsedNs;
    }
}
