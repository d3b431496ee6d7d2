package io.chimera.dataset.cluster;

import io.chimera.dataset.compute.ResultDigest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/**
 * Collects the rows of pipelines without stores, after the end of a job, in one file: the rows of all ranges in the
 * order of their windows. Rows that are lost are reported, so that another attempt of the job stores them again. One
 * thread.
 *
 * @param board record of the jobs
 * @param transfer reads the files of the workers
 * @param session identifies this collector in its report, not 0
 */
public record RowCollector(JobBoard board, ResultTransfer transfer, long session) {
    private static final int PART_LENGTH = 1 << 20;

    /**
     * Collects the rows of a job that is done. The file appears under its name once it is whole.
     *
     * @param job the job
     * @param file receives the rows
     * @return false when no range has such rows
     * @throws IOException when the board cannot be read, or a worker with rows is away: start it, or run the job again
     */
    public boolean collect(JobId job, Path file) throws IOException {
        List<WindowSpan> ranges = board.ranges(job).orElse(List.of());
        JobLedger ledger = new JobLedger();
        ledger.add(board.reports(job, ledger.known()));
        List<WorkerSession> workers = board.workers();
        Path unfinished = file.resolveSibling(file.getFileName() + ".part");
        boolean hasRows = false;
        try (FileChannel out = FileChannel.open(
                unfinished,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            for (int range = 0; range < ranges.size(); range++) {
                hasRows |= copy(job, range, ledger, workers, out);
            }
            out.force(true);
        }
        if (hasRows) {
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } else {
            Files.delete(unfinished);
        }
        return hasRows;
    }

    private boolean copy(JobId job, int range, JobLedger ledger, List<WorkerSession> workers, FileChannel out)
            throws IOException {
        Optional<ResultPlace> place = ledger.range(
                        range, folder -> workers.stream().anyMatch(worker -> worker.folder() == folder))
                .map(JobLedger.Held::place);
        if (place.isEmpty()) {
            throw new IOException("the worker with the rows of range " + range + " of job " + job.name()
                    + " is away; start its node again, or run the job again");
        }
        if (place.get().digest().isEmpty()) {
            return false;
        }
        WorkerSession worker = workers.stream()
                .filter(live -> live.folder() == place.get().folder())
                .findFirst()
                .orElseThrow();
        TaskId task = TaskId.range(range);
        try {
            if (copy(worker, job, task, out).equals(place.get().digest())) {
                return true;
            }
        } catch (ResultGoneException e) {
            report(job, task, place.get());
            throw new IOException(lost(job, range, worker, "gone"), e);
        }
        report(job, task, place.get());
        throw new IOException(lost(job, range, worker, "damaged"));
    }

    private static String lost(JobId job, int range, WorkerSession worker, String how) {
        return "the rows of range " + range + " of job " + job.name() + " at " + worker.node() + " are " + how
                + "; run the job again";
    }

    private void report(JobId job, TaskId task, ResultPlace place) throws BoardException {
        board.report(
                job,
                new WorkerReport(
                        new ReportId(session, 1),
                        0,
                        0,
                        List.of(),
                        List.of(),
                        List.of(new WorkerReport.LostResult(task, place)),
                        List.of()));
    }

    /** Copies a file and returns its digest. */
    private String copy(WorkerSession worker, JobId job, TaskId task, FileChannel out) throws IOException {
        long length = transfer.length(worker, job, task);
        ResultDigest digest = new ResultDigest();
        ByteBuffer part = ByteBuffer.allocate(PART_LENGTH);
        for (long offset = 0; offset < length; offset += part.limit()) {
            part.clear().limit((int) Math.min(PART_LENGTH, length - offset));
            transfer.read(worker, job, task, offset, part);
            digest.add(part.flip());
            part.rewind();
            while (part.hasRemaining()) {
                out.write(part);
            }
        }
        return digest.hex();
    }
}
