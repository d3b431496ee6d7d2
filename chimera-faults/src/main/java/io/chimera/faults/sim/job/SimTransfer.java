package io.chimera.faults.sim.job;

import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.ResultTransfer;
import io.chimera.dataset.cluster.TaskId;
import io.chimera.dataset.cluster.WorkerSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Reads results of live workers. A connection may break, and a worker may answer with the result of other work: a whole
 * file without damage, so that only the digest of the wanted result differs. One thread.
 */
final class SimTransfer implements ResultTransfer {
    private final Function<WorkerSession, SimWorker> processes;
    private final BooleanSupplier breaks;
    private final Predicate<WorkerSession> confuses;

    /** Work whose result is answered, by the wanted result. */
    private final Map<Wanted, TaskId> confused = new HashMap<>();

    private record Wanted(WorkerSession worker, JobId job, TaskId task) {}

    /**
     * Creates a transfer.
     *
     * @param processes the process at the address of a worker
     * @param breaks whether the next connection breaks
     * @param confuses whether a worker answers with the result of other work now
     */
    SimTransfer(
            Function<WorkerSession, SimWorker> processes, BooleanSupplier breaks, Predicate<WorkerSession> confuses) {
        this.processes = processes;
        this.breaks = breaks;
        this.confuses = confuses;
    }

    /** Readers ask for the length first; the reads that follow have the same answer. */
    @Override
    public long length(WorkerSession worker, JobId job, TaskId task) throws IOException {
        Wanted wanted = new Wanted(worker, job, task);
        confused.remove(wanted);
        if (confuses.test(worker)) {
            confused.put(wanted, neighbour(task));
        }
        return Files.size(file(wanted));
    }

    @Override
    public void read(WorkerSession worker, JobId job, TaskId task, long offset, ByteBuffer into) throws IOException {
        SimWorker.read(file(new Wanted(worker, job, task)), offset, into);
    }

    private static TaskId neighbour(TaskId task) {
        int other = task.number() ^ 1;
        return task.kind() == TaskId.Kind.SPLIT ? TaskId.split(other) : TaskId.range(other);
    }

    private Path file(Wanted wanted) throws IOException {
        if (breaks.getAsBoolean()) {
            throw new IOException("the connection broke");
        }
        return processes.apply(wanted.worker()).result(wanted.job(), confused.getOrDefault(wanted, wanted.task()));
    }
}
