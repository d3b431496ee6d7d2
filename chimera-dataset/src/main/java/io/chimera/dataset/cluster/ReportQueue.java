package io.chimera.dataset.cluster;

import io.chimera.dataset.cluster.WorkerReport.LostResult;
import io.chimera.dataset.cluster.WorkerReport.RangeDone;
import io.chimera.dataset.cluster.WorkerReport.SplitDone;
import io.chimera.dataset.cluster.WorkerReport.TaskFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a worker has to report about a job: collected for a while, then written as one report. A report is written again
 * until the board has accepted it, always with the same identity. One thread.
 */
final class ReportQueue {
    /** Least time between two reports: the board gets about one write per second and worker. */
    private static final Duration PERIOD = Duration.ofSeconds(1);

    /** Maximum number of entries of a kind. */
    private static final int ENTRIES_MAX = WorkerReport.ENTRIES_MAX / 4;

    private final WorkerContext worker;
    private final JobId job;
    private final List<SplitDone> splits = new ArrayList<>();
    private final List<RangeDone> ranges = new ArrayList<>();
    private final List<LostResult> lost = new ArrayList<>();
    private final List<TaskFailure> failures = new ArrayList<>();
    private WorkerMeasures measures = WorkerMeasures.NONE;
    private @Nullable WorkerReport unsent;
    private long number;
    private long sentNs;

    ReportQueue(WorkerContext worker, JobId job) {
        this.worker = worker;
        this.job = job;
        sentNs = worker.clock().nanoTime() - PERIOD.toNanos();
    }

    void add(SplitDone done) {
        splits.add(done);
    }

    void add(RangeDone done) {
        ranges.add(done);
    }

    void add(LostResult gone) {
        lost.add(gone);
    }

    void measured(WorkerMeasures now) {
        measures = now;
    }

    void add(TaskFailure failure) {
        failures.add(failure);
    }

    /** Writes a report if one is due. */
    void flush(int attempt) throws BoardException {
        if (unsent == null && hasEntries() && worker.clock().nanoTime() - sentNs >= PERIOD.toNanos()) {
            number++;
            unsent = new WorkerReport(
                    new ReportId(worker.self().session(), number),
                    attempt,
                    worker.self().folder(),
                    taken(splits, ENTRIES_MAX),
                    taken(ranges, ENTRIES_MAX),
                    taken(lost, ENTRIES_MAX),
                    taken(failures, WorkerReport.FAILURES_MAX),
                    measures);
        }
        if (unsent != null) {
            worker.board().report(job, unsent);
            unsent = null;
            sentNs = worker.clock().nanoTime();
        }
    }

    /** Returns whether everything is reported. */
    boolean isEmpty() {
        return unsent == null && !hasEntries();
    }

    private boolean hasEntries() {
        return !splits.isEmpty() || !ranges.isEmpty() || !lost.isEmpty() || !failures.isEmpty();
    }

    /** Takes the first entries; the others wait for the next report. */
    private static <T> List<T> taken(List<T> entries, int max) {
        List<T> first = entries.subList(0, Math.min(entries.size(), max));
        List<T> taken = List.copyOf(first);
        first.clear();
        return taken;
    }
}
