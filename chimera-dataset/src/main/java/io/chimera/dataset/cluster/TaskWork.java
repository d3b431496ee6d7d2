package io.chimera.dataset.cluster;

import io.chimera.dataset.cluster.WorkerReport.RangeDone;
import io.chimera.dataset.cluster.WorkerReport.SplitDone;
import io.chimera.dataset.compute.Piece;
import io.chimera.dataset.compute.PieceFile;
import io.chimera.dataset.compute.ResultDigest;
import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.job.JobPlan;
import io.chimera.dataset.job.JobProgram;
import io.chimera.dataset.job.JobProgress;
import io.chimera.dataset.job.SkippedSplit;
import io.chimera.dataset.job.Split;
import io.chimera.dataset.plan.Strategy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does the work of a job at a worker. A result that is there from an earlier start is used again. Any thread, one per
 * piece of work.
 *
 * @param job the job
 * @param plan the plan
 * @param program what the job computes
 * @param folder results of this worker
 */
record TaskWork(JobId job, JobPlan plan, JobProgram program, WorkerFolder folder) {
    private static final Logger LOG = LoggerFactory.getLogger(TaskWork.class);
    private static final int READ_LENGTH = 1 << 16;

    /** Returns whether the folder has a result of a split from an earlier start. */
    boolean hasResult(int split) {
        return Files.exists(folder.result(job, TaskId.split(split)));
    }

    /**
     * Computes a split, or copies its result from a worker that leaves.
     *
     * @param split the split
     * @param strategy way of the bytes to the computation
     * @param handedOver result at a worker that leaves; a result that cannot be read is computed
     * @param reported digest of the split in the reports of all workers; a result of an earlier start with another
     *     digest is computed again
     * @throws BadSplitException when the split is bad, and the job skips bad splits
     * @throws IOException when the split cannot be read, or the result cannot be written
     */
    SplitDone split(Split split, Strategy strategy, Optional<LeavingResult> handedOver, Optional<String> reported)
            throws IOException {
        Path path = folder.result(job, TaskId.split(split.number()));
        if (Files.exists(path)) {
            try {
                PieceFile earlier = PieceFile.open(path);
                earlier.verify();
                if (reported.isEmpty() || reported.get().equals(earlier.digest())) {
                    return done(split, earlier);
                }
                LOG.warn("A result differs from its report, and is computed again: job={} {}", job, split);
            } catch (FormatException e) {
                LOG.warn("A result is damaged, and is computed again: job={} {}", job, split);
            }
            Files.delete(path);
        }
        if (handedOver.isEmpty() || !copy(handedOver.get(), path)) {
            compute(split, strategy, path);
        }
        return done(split, PieceFile.open(path));
    }

    private static boolean copy(LeavingResult result, Path path) {
        try {
            result.copy(path);
            return true;
        } catch (IOException e) {
            LOG.info("A result of a worker that leaves cannot be copied, and is computed: {}", e.getMessage());
            return false;
        }
    }

    private void compute(Split split, Strategy strategy, Path path) throws IOException {
        try {
            program.compute(plan, split, strategy, path, program.newProgress());
        } catch (IOException e) {
            Optional<String> fault = program.skipsBadSplits() ? SkippedSplit.reason(e) : Optional.empty();
            if (fault.isPresent()) {
                throw new BadSplitException(fault.get(), e);
            }
            throw e;
        }
    }

    private SplitDone done(Split split, PieceFile file) {
        WindowSpan windows = file.pieces().stream()
                .map(Piece::startNs)
                .map(startNs -> new WindowSpan(startNs, startNs + program.windowNs())) // see Windows.latestNs
                .reduce(WindowSpan.EMPTY, WindowSpan::and);
        return new SplitDone(
                split.number(), file.digest(), split.range().length(), file.accepted(), file.rejected(), windows);
    }

    /**
     * Merges a range of windows and stores the rows.
     *
     * @throws LostResultException when the result of a split cannot be read
     * @throws IOException when a row cannot be stored
     */
    RangeDone range(int number, SplitResults results) throws IOException {
        Path rows = folder.result(job, TaskId.range(number));
        JobProgress progress = program.newProgress();
        boolean hasFile = program.merge(plan, results, results.wanted()::contains, rows, progress);
        JobProgress.Snapshot counts = progress.snapshot();
        return new RangeDone(
                number, hasFile ? digest(rows) : "", counts.windows(), counts.rows(), counts.rowsLeftOut());
    }

    private static String digest(Path file) throws IOException {
        ResultDigest digest = new ResultDigest();
        ByteBuffer part = ByteBuffer.allocate(READ_LENGTH);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            while (channel.read(part.clear()) >= 0) {
                digest.add(part.flip());
            }
        }
        return digest.hex();
    }
}
