package io.chimera.dataset.cluster;

import io.chimera.dataset.cluster.WorkerReport.LostResult;
import io.chimera.dataset.cluster.WorkerReport.RangeDone;
import io.chimera.dataset.cluster.WorkerReport.SplitDone;
import io.chimera.dataset.cluster.WorkerReport.TaskFailure;
import io.chimera.dataset.meter.WorkMeasures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a worker has to report about a job: collected for a while, then written as one report. A report is written again
 * until the board has accepted it, always with the same identity. A report has work of one attempt of the order: the
 * leader of a later attempt counts no failure of an earlier one.
 *
 * <p>Work has at most one entry, because it does not begin again before its report is accepted. So the entries are
 * bounded by the list of work: while the board accepts nothing, the leader hands out nothing. One thread.
 */
final class ReportQueue {
    /** Least time between two reports while work is left: the board gets about one write per second and worker. */
    private static final Duration PERIOD = Duration.ofSeconds(1);

    /** Least time between two reports without further work: the leader hands out more, or ends the job. */
    private static final Duration PERIOD_WITHOUT_WORK = Duration.ofMillis(250);

    /** Maximum number of entries of a kind. */
    private static final int ENTRIES_MAX = WorkerReport.ENTRIES_MAX / 4;

    private final WorkerContext worker;
    private final JobId job;
    private final List<Entry<SplitDone>> splits = new ArrayList<>();
    private final List<Entry<RangeDone>> ranges = new ArrayList<>();
    private final List<Entry<LostResult>> lost = new ArrayList<>();
    private final List<Entry<TaskFailure>> failures = new ArrayList<>();

    /** Work whose report is not accepted yet. */
    private final Set<TaskId> waiting = new HashSet<>();

    /** Work of the report that is not accepted yet. */
    private final Set<TaskId> underWay = new HashSet<>();

    private WorkMeasures measures = WorkMeasures.NONE;
    private @Nullable WorkerReport unsent;
    private long number;
    private long sentNs;

    /**
     * An entry of a report.
     *
     * @param attempt attempt of the order for which the work began
     * @param task work that has ended
     * @param content what the report says
     */
    private record Entry<T>(int attempt, TaskId task, T content) {}

    ReportQueue(WorkerContext worker, JobId job) {
        this.worker = worker;
        this.job = job;
        sentNs = worker.clock().nanoTime() - PERIOD.toNanos();
    }

    /**
     * Adds a computed split.
     *
     * @param attempt attempt of the order for which the work began, as in the other methods
     * @param done the split
     */
    void add(int attempt, SplitDone done) {
        add(splits, new Entry<>(attempt, TaskId.split(done.split()), done));
    }

    /** Adds a stored range. */
    void add(int attempt, RangeDone done) {
        add(ranges, new Entry<>(attempt, TaskId.range(done.range()), done));
    }

    /** Adds a lost result that ended other work. */
    void add(int attempt, TaskId ended, LostResult gone) {
        add(lost, new Entry<>(attempt, ended, gone));
    }

    /** Adds a failure. */
    void add(int attempt, TaskFailure failure) {
        add(failures, new Entry<>(attempt, failure.task(), failure));
    }

    private <T> void add(List<Entry<T>> entries, Entry<T> entry) {
        entries.add(entry);
        waiting.add(entry.task());
    }

    void measured(WorkMeasures now) {
        measures = now;
    }

    /** Returns whether the report of some work is not accepted yet. */
    boolean isWaiting(TaskId task) {
        return waiting.contains(task);
    }

    /**
     * Writes a report if one is due.
     *
     * @param hasWork whether the worker has further work for a thread that becomes free
     * @return work whose report is accepted now
     * @throws BoardException when the report was not accepted; the next call writes it again
     */
    Set<TaskId> flush(boolean hasWork) throws BoardException {
        Duration period = hasWork ? PERIOD : PERIOD_WITHOUT_WORK;
        if (unsent == null && hasEntries() && worker.clock().nanoTime() - sentNs >= period.toNanos()) {
            number++;
            unsent = next(firstAttempt());
        }
        if (unsent == null) {
            return Set.of();
        }
        worker.board().report(job, unsent);
        unsent = null;
        sentNs = worker.clock().nanoTime();
        Set<TaskId> accepted = Set.copyOf(underWay);
        waiting.removeAll(accepted);
        underWay.clear();
        return accepted;
    }

    /** Returns whether everything is reported. */
    boolean isEmpty() {
        return unsent == null && !hasEntries();
    }

    private boolean hasEntries() {
        return !splits.isEmpty() || !ranges.isEmpty() || !lost.isEmpty() || !failures.isEmpty();
    }

    private int firstAttempt() {
        return Stream.of(splits, ranges, lost, failures)
                .flatMap(List::stream)
                .mapToInt(Entry::attempt)
                .min()
                .orElseThrow();
    }

    private WorkerReport next(int attempt) {
        return new WorkerReport(
                new ReportId(worker.self().session(), number),
                attempt,
                worker.self().folder(),
                taken(splits, attempt, ENTRIES_MAX),
                taken(ranges, attempt, ENTRIES_MAX),
                taken(lost, attempt, ENTRIES_MAX),
                taken(failures, attempt, WorkerReport.FAILURES_MAX),
                measures);
    }

    /** Takes the first entries of an attempt; the others wait for the next report. */
    private <T> List<T> taken(List<Entry<T>> entries, int attempt, int max) {
        List<T> taken = new ArrayList<>();
        Iterator<Entry<T>> left = entries.iterator();
        while (taken.size() < max && left.hasNext()) {
            Entry<T> entry = left.next();
            if (entry.attempt() == attempt) {
                underWay.add(entry.task());
                taken.add(entry.content());
                left.remove();
            }
        }
        return taken;
    }
}
