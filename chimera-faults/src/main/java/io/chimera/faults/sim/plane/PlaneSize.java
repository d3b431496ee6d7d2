package io.chimera.faults.sim.plane;

/**
 * Size of a simulated cluster: half of the nodes are queue nodes, half are processors.
 *
 * @param nodes number of processes besides the coordinators
 * @param lanes lanes of each process
 */
public record PlaneSize(int nodes, int lanes) {
    /** Checks the ranges. */
    public PlaneSize {
        if (nodes < 2 || lanes < 1) {
            throw new IllegalArgumentException("--nodes must be at least 2, and --lanes at least 1");
        }
    }

    int queues() {
        return nodes / 2;
    }

    int processors() {
        return nodes - queues();
    }
}
