package io.chimera.faults.sim.job;

import io.chimera.dataset.cluster.BoardException;
import io.chimera.dataset.cluster.JobBoard;
import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.JobLedger;
import io.chimera.dataset.cluster.JobOrder;
import io.chimera.dataset.cluster.JobWish;
import io.chimera.dataset.cluster.MergePlan;
import io.chimera.dataset.cluster.TaskId;
import io.chimera.dataset.cluster.TaskList;
import io.chimera.dataset.cluster.WorkerReport;
import io.chimera.dataset.cluster.WorkerSession;
import io.chimera.dataset.job.JobException;
import io.chimera.dataset.meter.WorkMeasures;
import io.chimera.dataset.plan.Strategy;
import io.chimera.dataset.plan.StrategyWish;
import io.chimera.faults.sim.world.Violation;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Invariants of a job that its rows do not show, because lost results are computed again, and the rows are the same
 * with each strategy. One thread.
 *
 * @param board the record of jobs, without faults
 * @param wish strategy that the jobs name
 */
record JobOracle(JobBoard board, StrategyWish wish) {
    /**
     * Checks that the results of a worker that has left are at workers that stay. Nobody needs the results of a job
     * that has ended or is stopped; a last worker takes its results along.
     *
     * @param folder folder of the worker
     * @throws Violation when a result is nowhere else
     */
    void checkHandOver(JobOrder order, long folder) throws BoardException, JobException {
        JobId job = order.id();
        boolean hasEnded = board.outcome(job)
                .filter(end -> end.attempt() >= order.attempt())
                .isPresent();
        Set<Long> staying = board.workers().stream()
                .filter(worker -> !worker.isLeaving())
                .map(WorkerSession::folder)
                .collect(Collectors.toSet());
        if (hasEnded || order.wish() == JobWish.STOP || staying.isEmpty()) {
            return;
        }
        JobLedger ledger = new JobLedger();
        ledger.add(board.reports(job, Map.of()));
        MergePlan merge = board.mergePlan(job).orElse(MergePlan.NONE);
        int splits = board.plan(job).map(plan -> plan.splits().size()).orElse(0);
        for (int split = 0; split < splits; split++) {
            boolean isNeeded = !merge.leavesOut().test(split)
                    && ledger.split(split, own -> own == folder).isPresent();
            requireElsewhere(isNeeded, ledger.split(split, staying::contains), TaskId.split(split));
        }
        for (int range = 0; range < merge.ranges().size(); range++) {
            boolean isNeeded = ledger.range(range, own -> own == folder).isPresent();
            requireElsewhere(isNeeded, ledger.range(range, staying::contains), TaskId.range(range));
        }
    }

    private static void requireElsewhere(boolean isNeeded, Optional<?> elsewhere, TaskId task) {
        Violation.unless(
                !isNeeded || elsewhere.isPresent(),
                "JobHandOver",
                () -> "a worker left with the only result of " + task);
    }

    /**
     * Checks that splits are handed out with the strategy that the job names.
     *
     * @throws Violation when a list has another strategy
     */
    void checkStrategy(JobId job) throws BoardException {
        Optional<Strategy> fixed = wish.fixed();
        if (fixed.isPresent()) {
            for (TaskList list : board.allTasks(job).values()) {
                boolean hasSplit = list.tasks().stream().anyMatch(task -> task.kind() == TaskId.Kind.SPLIT);
                Violation.unless(
                        !hasSplit || list.strategy() == fixed.get(),
                        "JobStrategy",
                        () -> list.strategy() + " instead of " + fixed.get());
            }
        }
    }

    /**
     * Checks that the sums which the workers of a job report never fall during a session: a choice of the strategy
     * would follow negative rates.
     *
     * @throws Violation when a sum falls
     */
    void checkMeasures(JobId job) throws BoardException {
        Map<Long, WorkMeasures> last = new HashMap<>();
        for (WorkerReport report : board.reports(job, Map.of())) {
            WorkMeasures next = report.measures();
            WorkMeasures before = last.put(report.id().session(), next);
            Violation.unless(before == null || isAtLeast(next, before), "JobMeasures", () -> next + " after " + before);
        }
    }

    private static boolean isAtLeast(WorkMeasures next, WorkMeasures before) {
        return next.computed().splits() >= before.computed().splits()
                && next.computed().bytes() >= before.computed().bytes()
                && next.computed().points() >= before.computed().points()
                && next.received().bytes() >= before.received().bytes()
                && next.copied().bytes() >= before.copied().bytes()
                && next.nearBytes() >= before.nearBytes();
    }
}
