package io.chimera.faults.sim.fault;

import io.chimera.faults.sim.oracle.SimOracle;
import io.chimera.faults.sim.world.SimCluster;
import io.chimera.faults.sim.world.SimProcess;
import io.chimera.faults.sim.world.Timetable;
import io.chimera.faults.sim.world.Trace;

/** Starts processes, at once or after a random time. */
final class Restarts {
    private final SimCluster cluster;
    private final ActiveFaults active;
    private final SimOracle oracle;
    private final NetworkFaults inNetwork;
    private final Timetable timetable;
    private final Trace trace;

    Restarts(
            SimCluster cluster,
            ActiveFaults active,
            SimOracle oracle,
            NetworkFaults inNetwork,
            Timetable timetable,
            Trace trace) {
        this.cluster = cluster;
        this.active = active;
        this.oracle = oracle;
        this.inNetwork = inNetwork;
        this.timetable = timetable;
        this.trace = trace;
    }

    /** Starts an ended process after a random time, or when the faults end. */
    void later(SimProcess process) {
        active.lasting(50 + timetable.random().nextLong(6_000), () -> start(process.role(), process.id()));
    }

    /**
     * Starts a removed queue node, whose disk is empty, after a time.
     *
     * @param copiesLater whether the node copies nothing at first
     */
    void removedAfter(long ms, SimProcess removed, boolean copiesLater) {
        active.lasting(ms, () -> {
            if (copiesLater && !active.isOver()) {
                active.note(removed, "copies later");
                inNetwork.copyLater(
                        removed.id(),
                        cluster.processes(SimProcess.Role.QUEUE)
                                .filter(other -> !other.id().equals(removed.id()))
                                .toList());
            }
            start(removed.role(), removed.id());
        });
    }

    /** Starts a node, unless the node is running. */
    void start(SimProcess.Role role, String id) {
        if (cluster.isRunning(id)) {
            return;
        }
        trace.note(timetable.nowNs(), id, "starts");
        switch (role) {
            case QUEUE -> cluster.startQueue(id, (member, disk) -> disk.watch(oracle.watcher(member)));
            case PROCESSOR -> cluster.startProcessor(id);
            case COORDINATOR -> cluster.startCoordinator(id);
        }
    }
}
