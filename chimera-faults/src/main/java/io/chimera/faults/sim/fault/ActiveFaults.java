package io.chimera.faults.sim.fault;

import io.chimera.faults.sim.world.SimCluster;
import io.chimera.faults.sim.world.SimProcess;
import io.chimera.faults.sim.world.Timetable;
import io.chimera.faults.sim.world.Trace;
import java.util.ArrayList;
import java.util.List;

/** Faults in force: each ends after a time, or together with all others. Also draws the processes for faults. */
final class ActiveFaults {
    private static final long MS = 1_000_000;

    private final SimCluster cluster;
    private final Timetable timetable;
    private final Trace trace;
    private final List<Runnable> undos = new ArrayList<>();
    private boolean isOver;

    ActiveFaults(SimCluster cluster, Timetable timetable, Trace trace) {
        this.cluster = cluster;
        this.timetable = timetable;
        this.trace = trace;
    }

    /** Returns whether no more faults may begin. */
    boolean isOver() {
        return isOver;
    }

    /** Ends all active faults at once. */
    void end() {
        isOver = true;
        List.copyOf(undos).forEach(Runnable::run);
    }

    /** Draws a running process; null when there is none. */
    SimProcess any(SimProcess.Role role) {
        List<SimProcess> all =
                role == null ? cluster.processes() : cluster.processes(role).toList();
        return all.isEmpty() ? null : all.get(timetable.random().nextInt(all.size()));
    }

    /** Ends a fault after a time, or with all other faults. */
    void lasting(long ms, Runnable undo) {
        Runnable[] once = new Runnable[1];
        once[0] = () -> {
            if (undos.remove(once[0])) {
                undo.run();
            }
        };
        undos.add(once[0]);
        timetable.in(ms * MS, once[0]);
    }

    /** Adds an event of a process to the trace. */
    void note(SimProcess process, String what) {
        trace.note(timetable.nowNs(), process.id(), "%s", what);
    }

    /** Adds an event outside the processes to the trace. */
    void noteOutside(String format, Object... arguments) {
        trace.note(timetable.nowNs(), "-", format, arguments);
    }
}
