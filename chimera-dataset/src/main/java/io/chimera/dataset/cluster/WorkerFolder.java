package io.chimera.dataset.cluster;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Results of a worker on disk.
 *
 * <pre>
 *   worker                              identity of the folder, 16 hexadecimal digits
 *   lock                                locked by the process of the worker
 *   jobs/NAME/RUN/splits/000000         result of a split, see PieceFile; there only when whole
 *   jobs/NAME/RUN/ranges/000000         rows of a range of windows; there only when whole
 * </pre>
 *
 * <p>The run is a part of the path, so a result of an earlier job with the same name is never taken for one of this
 * job. One process at a time; within it any thread.
 */
public final class WorkerFolder implements AutoCloseable {
    private final Path folder;
    private final long id;
    private final FileChannel lock;

    private WorkerFolder(Path folder, long id, FileChannel lock) {
        this.folder = folder;
        this.id = id;
        this.lock = lock;
    }

    /**
     * Opens a folder, and creates a missing one.
     *
     * @param folder folder of this worker alone
     * @param ids draws the identity of a new folder, not 0
     * @throws IOException when the folder cannot be used, or another process uses it
     */
    public static WorkerFolder open(Path folder, LongSupplier ids) throws IOException {
        Files.createDirectories(folder.resolve("jobs"));
        FileChannel lock =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (lock.tryLock() != null) {
                return new WorkerFolder(folder, identity(folder.resolve("worker"), ids), lock);
            }
        } catch (OverlappingFileLockException e) {
            // the same answer as for another process
        } catch (IOException e) {
            lock.close();
            throw e;
        }
        lock.close();
        throw new IOException("another process uses " + folder + "; give each node a folder of its own");
    }

    private static long identity(Path file, LongSupplier ids) throws IOException {
        if (Files.exists(file)) {
            String text = Files.readString(file, StandardCharsets.US_ASCII).strip();
            if (!text.matches("[0-9a-f]{16}") || Long.parseUnsignedLong(text, 16) == 0) {
                throw new IOException(file + " is damaged; delete the folder, and its results are computed again");
            }
            return Long.parseUnsignedLong(text, 16);
        }
        long drawn = ids.getAsLong();
        Path unfinished = file.resolveSibling("worker.part");
        Files.writeString(unfinished, "%016x%n".formatted(drawn), StandardCharsets.US_ASCII);
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        return drawn;
    }

    /** Returns the identity of the folder, not 0. */
    public long id() {
        return id;
    }

    /**
     * Returns the file of a result; it exists once the result is whole and durable.
     *
     * @param job the job
     * @param task work whose result it is
     */
    public Path result(JobId job, TaskId task) {
        String kind = task.kind() == TaskId.Kind.SPLIT ? "splits" : "ranges";
        return run(job).resolve(kind).resolve("%06d".formatted(task.number()));
    }

    private Path run(JobId job) {
        return folder.resolve("jobs").resolve(job.name()).resolve(job.runHex());
    }

    /** Creates the folders of a job. */
    void prepare(JobId job) throws IOException {
        Files.createDirectories(run(job).resolve("splits"));
        Files.createDirectories(run(job).resolve("ranges"));
    }

    /** Returns the jobs with results in this folder. */
    List<JobId> jobs() throws IOException {
        List<JobId> jobs = new ArrayList<>();
        for (Path name : children(folder.resolve("jobs"))) {
            for (Path run : children(name)) {
                String hex = run.getFileName().toString();
                if (JobId.isName(name.getFileName().toString()) && hex.matches("[0-9a-f]{16}")) {
                    jobs.add(new JobId(name.getFileName().toString(), Long.parseUnsignedLong(hex, 16)));
                }
            }
        }
        return jobs;
    }

    private static List<Path> children(Path parent) throws IOException {
        try (Stream<Path> all = Files.list(parent)) {
            return all.filter(Files::isDirectory).sorted().toList();
        }
    }

    /** Deletes the results of a job. */
    void delete(JobId job) throws IOException {
        Path run = run(job);
        if (Files.exists(run)) {
            Files.walkFileTree(run, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
                        throws IOException {
                    Files.delete(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        }
    }

    /** Gives the folder free for other processes. */
    @Override
    public void close() throws IOException {
        lock.close();
    }
}
