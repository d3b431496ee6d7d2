package io.chimera.faults.sim.job;

import io.chimera.dataset.cluster.TaskThreads;
import io.chimera.faults.sim.world.Timetable;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/** Work of one process, each piece run at once at a drawn time; none after the death of the process. */
final class SimTasks implements TaskThreads {
    private static final long MS = 1_000_000;

    private final Timetable timetable;
    private boolean isDead;

    SimTasks(Timetable timetable) {
        this.timetable = timetable;
    }

    @Override
    public <T> Future<T> submit(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        timetable.in((1 + timetable.random().nextLong(3_000)) * MS, () -> {
            if (!isDead) {
                task.run();
            }
        });
        return task;
    }

    void die() {
        isDead = true;
    }
}
