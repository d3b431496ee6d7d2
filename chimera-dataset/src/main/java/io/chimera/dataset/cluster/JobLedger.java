package io.chimera.dataset.cluster;

import io.chimera.dataset.cluster.WorkerReport.LostResult;
import io.chimera.dataset.cluster.WorkerReport.RangeDone;
import io.chimera.dataset.cluster.WorkerReport.SplitDone;
import io.chimera.dataset.cluster.WorkerReport.TaskFailure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;

/** What the reports of a job say: who has which result. Independent of the order of the sessions. One thread. */
public final class JobLedger {
    private final Map<Integer, List<Held<SplitDone>>> splits = new HashMap<>();
    private final Map<Integer, List<Held<RangeDone>>> ranges = new HashMap<>();
    private final Map<TaskId, List<Failed>> failures = new HashMap<>();
    private final Set<LostResult> lost = new HashSet<>();
    private final Map<Long, Long> known = new HashMap<>();

    /** Last report with measurements by session. */
    private final Map<Long, Measured> measured = new HashMap<>();

    private record Measured(long number, WorkerMeasures measures) {}

    /**
     * A result and its place.
     *
     * @param <D> what is known of the result
     * @param place the place
     * @param done what is known of the result
     */
    public record Held<D>(ResultPlace place, D done) {}

    private record Failed(int attempt, long session, TaskFailure failure) {}

    /** Returns the number of known reports by session, for {@link JobBoard#reports}. */
    public Map<Long, Long> known() {
        return Map.copyOf(known);
    }

    /**
     * Adds reports.
     *
     * @param reports reports of the job that were not added before
     */
    public void add(Collection<WorkerReport> reports) {
        for (WorkerReport report : reports) {
            known.merge(report.id().session(), 1L, Long::sum);
            measured.merge(
                    report.id().session(),
                    new Measured(report.id().number(), report.measures()),
                    (before, next) -> next.number() > before.number() ? next : before);
            for (SplitDone done : report.splits()) {
                splits.computeIfAbsent(done.split(), split -> new ArrayList<>())
                        .add(new Held<>(new ResultPlace(report.folder(), report.id(), done.digest()), done));
            }
            for (RangeDone done : report.ranges()) {
                ranges.computeIfAbsent(done.range(), range -> new ArrayList<>())
                        .add(new Held<>(new ResultPlace(report.folder(), report.id(), done.digest()), done));
            }
            for (LostResult gone : report.lost()) {
                lost.add(gone);
            }
            for (TaskFailure failure : report.failures()) {
                failures.computeIfAbsent(failure.task(), task -> new ArrayList<>())
                        .add(new Failed(report.attempt(), report.id().session(), failure));
            }
        }
    }

    /**
     * Returns a result of a split that can be read.
     *
     * @param split number of the split
     * @param isThere whether a folder is there now
     */
    public Optional<Held<SplitDone>> split(int split, LongPredicate isThere) {
        return splits.getOrDefault(split, List.of()).stream()
                .filter(held -> isThere.test(held.place().folder()))
                .filter(held -> !lost.contains(new LostResult(TaskId.split(split), held.place())))
                .findFirst();
    }

    /**
     * Returns a result of a range of windows. Rows in stores stay there; a file with rows must be readable.
     *
     * @param range number of the range
     * @param isThere whether a folder is there now
     */
    public Optional<Held<RangeDone>> range(int range, LongPredicate isThere) {
        return ranges.getOrDefault(range, List.of()).stream()
                .filter(held -> held.done().digest().isEmpty()
                        || (isThere.test(held.place().folder())
                                && !lost.contains(new LostResult(TaskId.range(range), held.place()))))
                .findFirst();
    }

    /**
     * Returns the failures of a piece of work.
     *
     * @param task the work
     * @param attempt attempt of the order
     */
    public List<TaskFailure> failures(TaskId task, int attempt) {
        return failures.getOrDefault(task, List.of()).stream()
                .filter(failed -> failed.attempt() == attempt)
                .map(Failed::failure)
                .toList();
    }

    /**
     * Returns the number of failures of a piece of work at a worker.
     *
     * @param task the work
     * @param attempt attempt of the order
     * @param session session of the worker
     */
    int failures(TaskId task, int attempt, long session) {
        return (int) failures.getOrDefault(task, List.of()).stream()
                .filter(failed -> failed.attempt() == attempt && failed.session() == session)
                .count();
    }

    /**
     * Returns the number of lost results of a piece of work in a folder.
     *
     * @param task the work
     * @param folder the folder
     */
    int losses(TaskId task, long folder) {
        return (int) lost.stream()
                .filter(gone -> gone.task().equals(task) && gone.place().folder() == folder)
                .count();
    }

    /**
     * Returns the work with failures.
     *
     * @param attempt attempt of the order
     */
    public List<TaskId> failed(int attempt) {
        return failures.keySet().stream()
                .filter(task -> !failures(task, attempt).isEmpty())
                .sorted()
                .toList();
    }

    /** Returns the sums of the last measurements of all workers, also of ended sessions. */
    public WorkerMeasures measures() {
        return measured.values().stream().map(Measured::measures).reduce(WorkerMeasures.NONE, WorkerMeasures::plus);
    }

    /** Returns the span of all windows with pieces. */
    public WindowSpan windows() {
        return splits.values().stream()
                .flatMap(List::stream)
                .map(held -> held.done().windows())
                .reduce(WindowSpan.EMPTY, WindowSpan::and);
    }

    /**
     * Returns the counts of the job: each split and each range once, also those whose results are away now.
     *
     * @param splitCount number of splits of the plan
     * @param rangeCount number of ranges
     */
    public JobTotals totals(int splitCount, int rangeCount) {
        List<SplitDone> computed =
                splits.values().stream().map(held -> held.get(0).done()).toList();
        List<RangeDone> stored =
                ranges.values().stream().map(held -> held.get(0).done()).toList();
        return new JobTotals(
                splitCount,
                computed.size(),
                rangeCount,
                stored.size(),
                computed.stream().mapToLong(SplitDone::points).sum(),
                computed.stream().mapToLong(SplitDone::rejected).sum(),
                stored.stream().mapToInt(RangeDone::windows).sum(),
                stored.stream().mapToLong(RangeDone::rows).sum(),
                stored.stream().mapToLong(RangeDone::leftOut).sum());
    }
}
