package io.chimera.dataset.cluster;

import io.chimera.dataset.cluster.WorkerReport.TaskFailure;
import io.chimera.dataset.job.JobPlan;
import io.chimera.dataset.job.JobProgram;
import io.chimera.dataset.job.SkippedSplit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Decides which splits of a job are bad. One worker alone may lack a mount or a permission, so several must fail. One
 * thread.
 *
 * @param ledger the known reports
 * @param attempt attempt of the order
 */
record BadSplitVerdicts(JobLedger ledger, int attempt) {
    /** Workers that must find a split bad before it is skipped; with fewer workers, all of them. */
    static final int JUDGES_MAX = 5;

    /**
     * Splits without a result, sorted.
     *
     * @param toCompute splits to compute now
     * @param bad bad splits, ordered by number
     */
    record Sorted(List<TaskId> toCompute, List<Integer> bad) {}

    /**
     * Sorts the splits without a result. While more splits are in doubt than a job may skip, no further ones are to be
     * computed: a worker that can read nothing fails fast, and would report every split of the job.
     *
     * @param withoutResult numbers of the splits
     * @param workers the workers
     */
    Sorted sort(List<Integer> withoutResult, LiveWorkers workers) {
        List<TaskId> toCompute = new ArrayList<>();
        List<TaskId> inDoubt = new ArrayList<>();
        List<Integer> bad = new ArrayList<>();
        for (int split : withoutResult) {
            if (isBad(split, workers)) {
                bad.add(split);
                continue;
            }
            toCompute.add(TaskId.split(split));
            if (!ledger.foundBad(split, attempt).isEmpty()) {
                inDoubt.add(TaskId.split(split));
            }
        }
        return new Sorted(inDoubt.size() > MergePlan.SKIPPED_MAX ? inDoubt : toCompute, bad);
    }

    /**
     * Returns whether enough workers found a split bad.
     *
     * @param split number of the split
     * @param workers the workers; one that may come back has a say
     */
    boolean isBad(int split, LiveWorkers workers) {
        Set<Long> judges = ledger.foundBad(split, attempt);
        return judges.size() >= JUDGES_MAX || (!judges.isEmpty() && judges.containsAll(workers.expected()));
    }

    /** Returns why a split is bad. */
    String reason(int split) {
        return ledger.badSplit(split).map(TaskFailure::reason).orElse("");
    }

    /**
     * Lists the splits without rows, once each split has a result or is bad.
     *
     * @param plan the plan
     * @param program knows which formats have independent splits
     * @param isBad whether a split is bad, by number
     */
    List<SkippedSplit> list(JobPlan plan, JobProgram program, IntPredicate isBad) {
        try {
            return SkippedSplit.list(plan, split -> ledger.badSplit(split.number())
                    .filter(bad -> isBad.test(split.number()))
                    .map(bad -> program.skipped(split, bad.fault(), bad.reason())));
        } catch (IOException e) {
            throw new IllegalStateException("the ledger is in memory", e);
        }
    }

    /**
     * Returns the bad splits with the splits that they take along.
     *
     * @param plan the plan
     * @param skipped splits without rows, ordered by number
     */
    static List<SkippedSpan> spans(JobPlan plan, List<SkippedSplit> skipped) {
        List<SkippedSpan> spans = new ArrayList<>();
        int endOfObject = 0;
        for (SkippedSplit bad : skipped) {
            if (bad.split() >= endOfObject) {
                endOfObject = endOfObject(plan, bad);
            }
            if (!bad.reason().equals(SkippedSplit.AFTER_SKIPPED)) {
                spans.add(new SkippedSpan(
                        bad.split(), bad.takesFollowing() ? endOfObject : bad.split() + 1, bad.reason()));
            }
        }
        return spans;
    }

    private static int endOfObject(JobPlan plan, SkippedSplit of) {
        int end = of.split() + 1;
        while (end < plan.splits().size()
                && plan.splits().get(end).object().path().equals(of.object())) {
            end++;
        }
        return end;
    }
}
