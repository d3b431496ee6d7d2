package io.chimera.dataset.cluster;

import io.chimera.dataset.cluster.JobLedger.Held;
import io.chimera.dataset.cluster.WorkerReport.SplitDone;
import io.chimera.dataset.cluster.WorkerReport.TaskFailure;
import io.chimera.dataset.compute.PieceFile;
import io.chimera.dataset.job.InputReport;
import io.chimera.dataset.job.JobPlan;
import io.chimera.dataset.job.SkippedSplit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects the bad input of a job from the board and the workers: the skipped splits, and the first rejected events.
 * The files equal those of a local run. One thread.
 *
 * @param board the board
 * @param transfer reads results
 * @param job the job
 */
public record BadInputCollector(JobBoard board, ResultTransfer transfer, JobId job) {
    private static final Logger LOG = LoggerFactory.getLogger(BadInputCollector.class);

    /**
     * Lists the skipped splits of a job.
     *
     * @return splits ordered by number; empty before all splits are computed or bad
     * @throws IOException when the board cannot be read
     */
    public List<SkippedSplit> skipped() throws IOException {
        return skipped(ledger());
    }

    private JobLedger ledger() throws BoardException {
        JobLedger ledger = new JobLedger();
        ledger.add(board.reports(job, ledger.known()));
        return ledger;
    }

    private List<SkippedSplit> skipped(JobLedger ledger) throws IOException {
        Map<Integer, SkippedSpan> bad = new HashMap<>();
        for (SkippedSpan span : board.mergePlan(job).orElse(MergePlan.NONE).skipped()) {
            bad.put(span.split(), span);
        }
        Optional<JobPlan> plan = board.plan(job);
        if (plan.isEmpty() || bad.isEmpty()) {
            return List.of();
        }
        return SkippedSplit.list(plan.get(), split -> Optional.ofNullable(bad.get(split.number()))
                .map(span -> SkippedSplit.of(
                        split,
                        span.fault(),
                        ledger.badSplit(split.number(), span.fault())
                                .map(TaskFailure::reason)
                                .orElse(""),
                        span.end() > split.number() + 1)));
    }

    /**
     * Writes the files {@code skipped.jsonl} and {@code rejected.jsonl} of a job that is done.
     *
     * @param folder receives the files
     * @param rejectsMax maximum number of rejected events
     * @return number of splits whose rejected events could not be read: their workers are away
     * @throws IOException when the board cannot be read, or a file cannot be written
     */
    public int collect(Path folder, int rejectsMax) throws IOException {
        Files.createDirectories(folder);
        InputReport report = new InputReport(folder);
        JobLedger ledger = ledger();
        report.skipped(skipped(ledger));
        int[] unread = new int[1];
        report.rejected(taker -> unread[0] = give(ledger, taker), rejectsMax);
        return unread[0];
    }

    private int give(JobLedger ledger, InputReport.Taker taker) throws IOException {
        int splits = board.plan(job).map(plan -> plan.splits().size()).orElse(0);
        IntPredicate leavesOut = board.mergePlan(job).orElse(MergePlan.NONE).leavesOut();
        Map<Long, WorkerSession> workers = board.workers().stream()
                .collect(Collectors.toMap(WorkerSession::folder, Function.identity(), (one, other) -> other));
        int unread = 0;
        boolean isWanted = true;
        for (int split = 0; split < splits && isWanted; split++) {
            if (leavesOut.test(split) || rejected(ledger, split) == 0) {
                continue;
            }
            Optional<byte[]> lines = ledger.split(split, workers::containsKey).flatMap(held -> lines(held, workers));
            unread += lines.isPresent() ? 0 : 1;
            isWanted = lines.isEmpty() || taker.take(lines.get());
        }
        return unread;
    }

    private static long rejected(JobLedger ledger, int split) {
        return ledger.split(split, folder -> true)
                .map(held -> held.done().rejected())
                .orElse(0L);
    }

    private Optional<byte[]> lines(Held<SplitDone> held, Map<Long, WorkerSession> workers) {
        WorkerSession worker = workers.get(held.place().folder());
        TaskId task = TaskId.split(held.done().split());
        try {
            PieceFile file = PieceFile.open(new ResultBytes(job, task, worker, transfer));
            if (!file.digest().equals(held.place().digest())) {
                throw new IOException("the file differs from the reported one");
            }
            return Optional.of(file.rejects());
        } catch (IOException e) {
            LOG.warn("Rejected events cannot be read: {} node={} cause={}", task, worker.node(), e.getMessage());
            return Optional.empty();
        }
    }
}
