package io.chimera.dataset.cluster;

import io.chimera.dataset.cluster.WorkerReport.LostResult;
import io.chimera.dataset.cluster.WorkerReport.RangeDone;
import io.chimera.dataset.cluster.WorkerReport.SplitDone;
import io.chimera.dataset.cluster.WorkerReport.TaskFailure;
import io.chimera.dataset.meter.WorkMeasures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/** Results of a job and their workers, by its reports. Independent of the order of the sessions. One thread. */
public final class JobLedger {
    private final Map<Integer, List<Held<SplitDone>>> splits = new HashMap<>();
    private final Map<Integer, List<Held<RangeDone>>> ranges = new HashMap<>();

    /** Splits with another result than the first one: the other result. */
    private final SortedMap<Integer, Held<SplitDone>> differing = new TreeMap<>();

    private final Map<TaskId, List<Failed>> failures = new HashMap<>();
    private final Map<Long, Set<TaskId>> failedAt = new HashMap<>();
    private final Set<LostResult> lost = new HashSet<>();

    /** Number of lost results by attempt of the order and work. */
    private final Map<LostWork, Integer> losses = new HashMap<>();

    private final Map<Long, Long> known = new HashMap<>();

    /** Last report with measurements by session. */
    private final Map<Long, Measured> measured = new HashMap<>();

    private record Measured(long number, WorkMeasures measures) {}

    /**
     * A result and its place.
     *
     * @param <D> facts about the result
     * @param place the place
     * @param done facts about the result
     */
    public record Held<D>(ResultPlace place, D done) {}

    /**
     * Part of a worker in a job.
     *
     * @param splits computed splits
     * @param bytes length of these splits in bytes
     * @param points points accepted from these splits
     */
    public record WorkerPart(int splits, long bytes, long points) {
        private WorkerPart and(WorkerPart other) {
            return new WorkerPart(splits + other.splits, bytes + other.bytes, points + other.points);
        }
    }

    private record LostWork(int attempt, TaskId task) {}

    private record Failed(int attempt, long folder, TaskFailure failure) {}

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
                add(new Held<>(new ResultPlace(report.folder(), report.id(), done.digest()), done));
            }
            for (RangeDone done : report.ranges()) {
                ranges.computeIfAbsent(done.range(), range -> new ArrayList<>())
                        .add(new Held<>(new ResultPlace(report.folder(), report.id(), done.digest()), done));
            }
            for (LostResult gone : report.lost()) {
                if (lost.add(gone)) {
                    losses.merge(new LostWork(report.attempt(), gone.task()), 1, Integer::sum);
                }
            }
            for (TaskFailure failure : report.failures()) {
                add(report, failure);
            }
        }
    }

    private void add(Held<SplitDone> result) {
        int split = result.done().split();
        List<Held<SplitDone>> all = splits.computeIfAbsent(split, number -> new ArrayList<>());
        all.add(result);
        if (!all.get(0).done().digest().equals(result.done().digest())) {
            differing.putIfAbsent(split, result);
        }
    }

    /** Adds a failure; of a bad split only the first reason is kept, because each worker that tries it gives one. */
    private void add(WorkerReport report, TaskFailure failure) {
        List<Failed> earlier = failures.computeIfAbsent(failure.task(), task -> new ArrayList<>());
        boolean isKnown = !failure.fault().isEmpty()
                && earlier.stream()
                        .anyMatch(failed -> failed.failure().fault().equals(failure.fault())
                                && !failed.failure().reason().isEmpty());
        TaskFailure kept = isKnown ? new TaskFailure(failure.task(), failure.isFinal(), failure.fault(), "") : failure;
        earlier.add(new Failed(report.attempt(), report.folder(), kept));
        failedAt.computeIfAbsent(report.folder(), folder -> new HashSet<>()).add(failure.task());
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
     * Returns the digest of a split in its first report.
     *
     * @param split number of the split
     * @return empty for a split without a report
     */
    Optional<String> digest(int split) {
        return splits.getOrDefault(split, List.of()).stream().findFirst().map(held -> held.done()
                .digest());
    }

    /**
     * Returns the first result and another result of a split: the rows would depend on which of them a merge reads.
     *
     * @param leavesOut whether a split has no rows, by number
     * @return two results of the first such split; an empty list if all results of each split are equal
     */
    List<Held<SplitDone>> differing(IntPredicate leavesOut) {
        return differing.entrySet().stream()
                .filter(other -> !leavesOut.test(other.getKey()))
                .findFirst()
                .map(other -> List.of(splits.get(other.getKey()).get(0), other.getValue()))
                .orElse(List.of());
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
     * Returns whether a folder has results of the job that no other folder has.
     *
     * @param folder the folder
     * @param isStaying whether a folder stays
     * @param leavesOut whether a split has no rows, by number
     */
    boolean isNeeded(long folder, LongPredicate isStaying, IntPredicate leavesOut) {
        boolean hasSplits = splits.keySet().stream()
                .anyMatch(split -> !leavesOut.test(split)
                        && split(split, own -> own == folder).isPresent()
                        && split(split, isStaying).isEmpty());
        return hasSplits
                || ranges.keySet().stream()
                        .anyMatch(range -> range(range, own -> own == folder).isPresent()
                                && range(range, isStaying).isEmpty());
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
     * @param folder folder of the worker
     */
    int failures(TaskId task, int attempt, long folder) {
        return (int) failures.getOrDefault(task, List.of()).stream()
                .filter(failed -> failed.attempt() == attempt && failed.folder() == folder)
                .count();
    }

    /**
     * Returns the number of pieces of work that failed at a worker, in all attempts.
     *
     * @param folder folder of the worker
     */
    int failedAt(long folder) {
        return failedAt.getOrDefault(folder, Set.of()).size();
    }

    /**
     * Returns the workers that found a split bad.
     *
     * @param split number of the split
     * @param attempt attempt of the order
     * @return folders of the workers; empty for a split without such a failure
     */
    Set<Long> foundBad(int split, int attempt) {
        return failures.getOrDefault(TaskId.split(split), List.of()).stream()
                .filter(failed ->
                        failed.attempt() == attempt && !failed.failure().fault().isEmpty())
                .map(Failed::folder)
                .collect(Collectors.toSet());
    }

    /**
     * Returns why a split is bad: the fault that most workers met.
     *
     * @param split number of the split
     * @return empty for a split that no worker found bad
     */
    Optional<TaskFailure> badSplit(int split) {
        SortedMap<String, Set<Long>> folders = new TreeMap<>();
        for (Failed failed : failures.getOrDefault(TaskId.split(split), List.of())) {
            if (!failed.failure().fault().isEmpty()) {
                folders.computeIfAbsent(failed.failure().fault(), fault -> new HashSet<>())
                        .add(failed.folder());
            }
        }
        return folders.entrySet().stream()
                .max(Comparator.comparingInt(fault -> fault.getValue().size()))
                .flatMap(fault -> badSplit(split, fault.getKey()));
    }

    /**
     * Returns the first report of a fault of a split.
     *
     * @param split number of the split
     * @param fault short name of the fault
     */
    Optional<TaskFailure> badSplit(int split, String fault) {
        return failures.getOrDefault(TaskId.split(split), List.of()).stream()
                .map(Failed::failure)
                .filter(failure -> failure.fault().equals(fault))
                .findFirst();
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
     * Returns work whose results were lost again and again: the workers cannot read results of each other.
     *
     * @param attempt attempt of the order
     * @param lossesMin least number of lost results
     */
    Optional<TaskId> lostAgain(int attempt, int lossesMin) {
        return losses.entrySet().stream()
                .filter(each -> each.getKey().attempt() == attempt && each.getValue() >= lossesMin)
                .map(each -> each.getKey().task())
                .min(Comparator.naturalOrder());
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
    public WorkMeasures measures() {
        return measured.values().stream().map(Measured::measures).reduce(WorkMeasures.NONE, WorkMeasures::plus);
    }

    /**
     * Returns the span of all windows with pieces.
     *
     * @param leavesOut whether a split has no rows, by number
     */
    public WindowSpan windows(IntPredicate leavesOut) {
        return splits.values().stream()
                .flatMap(List::stream)
                .map(Held::done)
                .filter(done -> !leavesOut.test(done.split()))
                .map(SplitDone::windows)
                .reduce(WindowSpan.EMPTY, WindowSpan::and);
    }

    /**
     * Returns the part of each worker in the job: each split counts for the worker that reported it first.
     *
     * @param leavesOut whether a split has no rows, by number
     * @return parts by folder
     */
    public SortedMap<Long, WorkerPart> parts(IntPredicate leavesOut) {
        SortedMap<Long, WorkerPart> parts = new TreeMap<>();
        for (List<Held<SplitDone>> held : splits.values()) {
            Held<SplitDone> first = held.get(0);
            if (!leavesOut.test(first.done().split())) {
                WorkerPart one =
                        new WorkerPart(1, first.done().bytes(), first.done().points());
                parts.merge(first.place().folder(), one, WorkerPart::and);
            }
        }
        return parts;
    }

    /**
     * Returns the counts of the splits with a known result, each split once.
     *
     * @param leavesOut whether a split has no rows, by number
     */
    public SplitTotals computed(IntPredicate leavesOut) {
        int count = 0;
        long bytes = 0;
        long points = 0;
        long rejected = 0;
        for (List<Held<SplitDone>> held : splits.values()) {
            SplitDone done = held.get(0).done();
            if (!leavesOut.test(done.split())) {
                count++;
                bytes += done.bytes();
                points += done.points();
                rejected += done.rejected();
            }
        }
        return new SplitTotals(count, bytes, points, rejected);
    }

    /**
     * Returns the counts of the job: each split and each range once, also those whose results are away now.
     *
     * @param splitCount number of splits of the plan
     * @param merge plan of the merges; {@link MergePlan#NONE} before there is one
     */
    public JobTotals totals(int splitCount, MergePlan merge) {
        SplitTotals computed = merge.equals(MergePlan.NONE) ? computed(merge.leavesOut()) : merge.computed();
        List<RangeDone> stored =
                ranges.values().stream().map(held -> held.get(0).done()).toList();
        return new JobTotals(
                splitCount,
                computed.splits(),
                merge.splitsSkipped(),
                merge.ranges().size(),
                stored.size(),
                computed.bytes(),
                computed.points(),
                computed.rejected(),
                stored.stream().mapToInt(RangeDone::windows).sum(),
                stored.stream().mapToLong(RangeDone::rows).sum(),
                stored.stream().mapToLong(RangeDone::leftOut).sum());
    }
}
