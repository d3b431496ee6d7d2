package io.chimera.dataset.cluster;

import io.chimera.dataset.cluster.JobLedger.Held;
import io.chimera.dataset.cluster.WorkerReport.LostResult;
import io.chimera.dataset.cluster.WorkerReport.RangeDone;
import io.chimera.dataset.compute.ResultDigest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
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
 * Collects the rows of pipelines without stores from the workers, range by range, into one file. The file equals that
 * of a local run, and appears once it is whole and durable. Rows that cannot be read are reported as lost, so that
 * another attempt of the job stores them again. One thread; one collection.
 *
 * @param board the board
 * @param transfer reads results
 * @param job the job
 * @param session identifies this collection in its report, not 0
 */
public record RowCollector(JobBoard board, ResultTransfer transfer, JobId job, long session) {
    private static final Logger LOG = LoggerFactory.getLogger(RowCollector.class);
    private static final int PART_LENGTH = 1 << 20;

    /** Outcome of a collection. */
    public enum Collected {
        /** The file has the rows. */
        WRITTEN,
        /** All pipelines have stores. */
        NOTHING,
        /** The rows of a range are at no live worker; another attempt of the job makes them again. */
        MISSING
    }

    /**
     * Collects the rows of a job that is done.
     *
     * @param file receives the rows
     * @throws IOException when the board cannot be read, or the file cannot be written
     */
    public Collected collect(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path unfinished = file.resolveSibling(file.getFileName() + ".part");
        List<LostResult> lost = new ArrayList<>();
        Collected collected;
        try (FileChannel out = FileChannel.open(
                unfinished,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            collected = collect(out, lost);
            out.force(true);
            if (collected == Collected.WRITTEN) {
                Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
        } finally {
            Files.deleteIfExists(unfinished);
        }
        if (!lost.isEmpty()) {
            board.report(
                    job,
                    new WorkerReport(
                            new ReportId(session, 1), 0, 0, List.of(), List.of(), List.copyOf(lost), List.of()));
        }
        return collected;
    }

    private Collected collect(FileChannel out, List<LostResult> lost) throws IOException {
        int ranges = board.mergePlan(job).orElse(MergePlan.NONE).ranges().size();
        JobLedger ledger = new JobLedger();
        ledger.add(board.reports(job, ledger.known()));
        Map<Long, WorkerSession> workers = board.workers().stream()
                .collect(Collectors.toMap(WorkerSession::folder, Function.identity(), (one, other) -> other));
        Collected all = Collected.NOTHING;
        for (int range = 0; range < ranges; range++) {
            Collected one = append(ledger, range, workers, out, lost);
            if (one == Collected.MISSING) {
                all = one;
            } else if (one == Collected.WRITTEN && all == Collected.NOTHING) {
                all = one;
            }
        }
        return all;
    }

    private Collected append(
            JobLedger ledger, int range, Map<Long, WorkerSession> workers, FileChannel out, List<LostResult> lost)
            throws IOException {
        Set<Long> failed = new HashSet<>();
        long from = out.position();
        while (true) {
            Optional<Held<RangeDone>> held =
                    ledger.range(range, folder -> workers.containsKey(folder) && !failed.contains(folder));
            if (held.isEmpty()) {
                return Collected.MISSING;
            }
            ResultPlace place = held.get().place();
            if (place.digest().isEmpty()) {
                return Collected.NOTHING;
            }
            WorkerSession worker = workers.get(place.folder());
            try {
                copy(range, place.digest(), worker, out);
                return Collected.WRITTEN;
            } catch (IOException e) {
                LOG.warn("The rows of range {} cannot be read: node={} cause={}", range, worker.node(), e.getMessage());
                failed.add(place.folder());
                lost.add(new LostResult(TaskId.range(range), place));
                out.truncate(from).position(from);
            }
        }
    }

    private void copy(int range, String wanted, WorkerSession worker, FileChannel out) throws IOException {
        TaskId task = TaskId.range(range);
        long length = transfer.length(worker, job, task);
        ResultDigest digest = new ResultDigest();
        ByteBuffer part = ByteBuffer.allocate(PART_LENGTH);
        for (long offset = 0; offset < length; offset += part.limit()) {
            part.clear().limit((int) Math.min(PART_LENGTH, length - offset));
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
