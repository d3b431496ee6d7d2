package io.chimera.faults.sim.job;

import io.chimera.common.agent.Clock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.Metrics;
import io.chimera.common.metrics.WorkerCounter;
import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.JobMetrics;
import io.chimera.dataset.cluster.JobPrograms;
import io.chimera.dataset.cluster.JobWorker;
import io.chimera.dataset.cluster.ResultGoneException;
import io.chimera.dataset.cluster.ResultTransfer;
import io.chimera.dataset.cluster.TaskId;
import io.chimera.dataset.cluster.WorkerContext;
import io.chimera.dataset.cluster.WorkerFolder;
import io.chimera.dataset.cluster.WorkerSession;
import io.chimera.dataset.job.JobSettings;
import io.chimera.faults.sim.world.Timetable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A worker's process: starts, steps, dies, and starts again with the same folder or an empty one. */
final class SimWorker {
    private final String name;
    private final Timetable timetable;
    private final Parts parts;
    private Optional<Life> life = Optional.empty();
    private Runnable onLeft = () -> {};

    /** Parts that all workers share. */
    record Parts(
            MemoryJobBoard.Shared board,
            MemoryJobBoard.Faults faults,
            JobPrograms programs,
            ResultTransfer transfer,
            Clock clock) {}

    private record Life(
            MemoryJobBoard board, WorkerFolder folder, WorkerSession self, SimTasks tasks, JobWorker worker) {}

    SimWorker(String name, Timetable timetable, Parts parts) {
        this.name = name;
        this.timetable = timetable;
        this.parts = parts;
    }

    /** Starts the process. */
    void start(Path path) {
        try {
            MemoryJobBoard board = new MemoryJobBoard(parts.board(), parts.faults());
            WorkerFolder folder =
                    WorkerFolder.open(path, () -> timetable.random().nextLong() | 1);
            SimTasks tasks = new SimTasks(timetable);
            WorkerSession self = new WorkerSession(
                    timetable.random().nextLong() | 1,
                    folder.id(),
                    name,
                    name,
                    1 + timetable.random().nextInt(2));
            JobWorker worker = new JobWorker(new WorkerContext(
                    board,
                    self,
                    folder,
                    parts.programs(),
                    parts.transfer(),
                    tasks,
                    JobSettings.BYTES_PER_WORKER_MIN,
                    parts.clock(),
                    new Counters<>(WorkerCounter.class),
                    new JobMetrics(new Metrics(name))));
            Life started = new Life(board, folder, self, tasks, worker);
            life = Optional.of(started);
            step(started);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void step(Life of) {
        if (life.filter(now -> now.self().equals(of.self())).isPresent()) {
            timetable.in(of.worker().step().toNanos(), () -> step(of));
            if (of.worker().hasHandedOver()) {
                stop(of, 0);
                life = Optional.empty();
                onLeft.run();
            }
        }
    }

    boolean isAlive() {
        return life.isPresent();
    }

    /** Returns the identity of the folder of the process; 0 without a process. */
    long folder() {
        return life.map(of -> of.folder().id()).orElse(0L);
    }

    /** Kills the process; ZooKeeper notices it later. */
    void kill() {
        life.ifPresent(dead -> stop(dead, timetable.random().nextLong(6_000_000_000L)));
        life = Optional.empty();
    }

    private void stop(Life dead, long noticedInNs) {
        dead.tasks().die();
        timetable.in(noticedInNs, dead.board()::endSession);
        try {
            dead.folder().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets the process hand its results over, then end. */
    void leave(Runnable then) {
        onLeft = then;
        life.ifPresent(of -> of.worker().leave());
    }

    /** Ends the session with ZooKeeper; the process lives on. */
    void expire() {
        life.ifPresent(of -> of.board().endSession());
    }

    /** Returns the file of a result, as another process asks for it at the address of this one. */
    Path result(JobId job, TaskId task) throws IOException {
        Path file = life.orElseThrow(() -> new IOException(name + " does not answer"))
                .folder()
                .result(job, task);
        if (!Files.exists(file)) {
            throw new ResultGoneException(name + " has no result of " + task);
        }
        return file;
    }

    /** Reads a part of a file. */
    static void read(Path file, long offset, ByteBuffer into) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            channel.position(offset);
            while (into.hasRemaining()) {
                if (channel.read(into) < 0) {
                    throw new IOException(file + " ends early");
                }
            }
        }
    }
}
