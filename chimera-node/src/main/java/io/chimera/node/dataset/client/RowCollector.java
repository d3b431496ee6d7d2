package io.chimera.node.dataset.client;

import io.chimera.dataset.cluster.JobBoard;
import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.JobLedger;
import io.chimera.dataset.cluster.ResultTransfer;
import io.chimera.dataset.cluster.TaskId;
import io.chimera.dataset.cluster.WorkerReport.RangeDone;
import io.chimera.dataset.cluster.WorkerSession;
import io.chimera.dataset.compute.ResultDigest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects the rows of pipelines without stores from the workers, range by range, into one file. The file equals that of
 * a local run, and appears once it is whole and durable. One thread.
 *
 * @param board the board
 * @param transfer reads results
 * @param job the job
 * @param file file of the rows
 */
record RowCollector(JobBoard board, ResultTransfer transfer, JobId job, Path file) {
    private static final Logger LOG = LoggerFactory.getLogger(RowCollector.class);
    private static final int PART = 1 << 20;

    /** Outcome of a collection. */
    enum Collected {
        /** The file has the rows. */
        WRITTEN,
        /** All pipelines have stores. */
        NOTHING,
        /** The rows of a range are at no live worker; an attempt more makes them again. */
        MISSING
    }

    /**
     * Collects the rows of a job that is done.
     *
     * @param ledger results of the job
     * @throws IOException when the board cannot be read, or the file cannot be written
     */
    Collected collect(JobLedger ledger) throws IOException {
        int ranges = board.ranges(job).map(List::size).orElse(0);
        Map<Long, WorkerSession> workers = board.workers().stream()
                .collect(Collectors.toMap(WorkerSession::folder, Function.identity(), (one, other) -> other));
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path unfinished = file.resolveSibling(file.getFileName() + ".part");
        boolean hasRows = false;
        try (FileChannel out = FileChannel.open(
                unfinished,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            for (int range = 0; range < ranges; range++) {
                Collected one = append(ledger, range, workers, out);
                if (one == Collected.MISSING) {
                    return one;
                }
                hasRows |= one == Collected.WRITTEN;
            }
            out.force(true);
            if (hasRows) {
                Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
            }
        } finally {
            Files.deleteIfExists(unfinished);
        }
        return hasRows ? Collected.WRITTEN : Collected.NOTHING;
    }

    private Collected append(JobLedger ledger, int range, Map<Long, WorkerSession> workers, FileChannel out)
            throws IOException {
        Set<Long> failed = new HashSet<>();
        long from = out.position();
        while (true) {
            Optional<JobLedger.Held<RangeDone>> held =
                    ledger.range(range, folder -> workers.containsKey(folder) && !failed.contains(folder));
            if (held.isEmpty()) {
                return Collected.MISSING;
            }
            if (held.get().done().digest().isEmpty()) {
                return Collected.NOTHING;
            }
            long folder = held.get().place().folder();
            WorkerSession worker = workers.get(folder);
            try {
                copy(range, held.get().done().digest(), worker, out);
                return Collected.WRITTEN;
            } catch (IOException e) {
                LOG.warn("The rows of range {} cannot be read: node={} cause={}", range, worker.node(), e.getMessage());
                failed.add(folder);
                out.truncate(from).position(from);
            }
        }
    }

    private void copy(int range, String wanted, WorkerSession worker, FileChannel out) throws IOException {
        TaskId task = TaskId.range(range);
        long length = transfer.length(worker, job, task);
        ResultDigest digest = new ResultDigest();
        ByteBuffer part = ByteBuffer.allocate(PART);
        for (long offset = 0; offset < length; offset += part.limit()) {
            part.clear().limit((int) Math.min(PART, length - offset));
            transfer.read(worker, job, task, offset, part);
            digest.add(part.flip().duplicate());
            while (part.hasRemaining()) {
                out.write(part);
            }
        }
        if (!digest.hex().equals(wanted)) {
            throw new IOException("the file differs from the reported one");
        }
    }
}
