package io.chimera.node.dataset.client;

import io.chimera.dataset.cluster.BoardException;
import io.chimera.dataset.cluster.JobBoard;
import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.JobLedger;
import io.chimera.dataset.cluster.JobOrder;
import io.chimera.dataset.cluster.JobOutcome;
import io.chimera.dataset.cluster.JobTotals;
import io.chimera.dataset.cluster.JobWish;
import io.chimera.dataset.cluster.MergePlan;
import io.chimera.dataset.job.JobException;
import io.chimera.dataset.job.JobPlan;
import io.chimera.dataset.meter.WorkerMeter;
import java.util.List;
import java.util.Optional;

/** Follows a job on the board; a look reads only what is new. One thread. */
final class JobView {
    private final JobBoard board;
    private final JobId job;
    private final JobLedger ledger = new JobLedger();

    JobView(JobBoard board, JobId job) {
        this.board = board;
        this.job = job;
    }

    /**
     * Returns the parts of the workers in the job, as the last look knew them.
     *
     * @throws BoardException when the board cannot be read
     */
    List<WorkerMeter.Totals> workers() throws BoardException {
        MergePlan merge = mergePlan();
        return ledger.parts(merge.leavesOut()).values().stream()
                .map(part -> new WorkerMeter.Totals(part.splits(), part.bytes(), 0, part.points(), 0, 0))
                .toList();
    }

    /**
     * Looks at the job.
     *
     * @return empty when the job is removed
     * @throws BoardException when the board cannot be read
     */
    Optional<JobState> look() throws BoardException {
        Optional<JobOrder> order =
                board.orders().stream().filter(found -> found.id().equals(job)).findFirst();
        return order.isEmpty() ? Optional.empty() : Optional.of(state(order.get()));
    }

    private JobState state(JobOrder order) throws BoardException {
        ledger.add(board.reports(job, ledger.known()));
        Optional<JobPlan> plan = plan();
        MergePlan merge = mergePlan();
        JobTotals totals =
                ledger.totals(plan.map(found -> found.splits().size()).orElse(0), merge);
        Optional<JobOutcome> end = board.outcome(job).filter(found -> found.attempt() >= order.attempt());
        return new JobState(
                order,
                phase(order, end, plan.isPresent(), totals),
                end.map(JobOutcome::reason).orElse(""),
                plan.map(JobPlan::bytes).orElse(0L),
                totals,
                ledger.measures());
    }

    /** Returns the plan; an unreadable one is the matter of the leader, which ends the job with the reason. */
    private Optional<JobPlan> plan() throws BoardException {
        try {
            return board.plan(job);
        } catch (JobException e) {
            return Optional.empty();
        }
    }

    /** Returns the plan of the merges; an unreadable one counts as missing, see {@link #plan}. */
    private MergePlan mergePlan() throws BoardException {
        try {
            return board.mergePlan(job).orElse(MergePlan.NONE);
        } catch (JobException e) {
            return MergePlan.NONE;
        }
    }

    private static JobState.Phase phase(JobOrder order, Optional<JobOutcome> end, boolean isPlanned, JobTotals totals) {
        if (end.isPresent()) {
            return end.get().kind() == JobOutcome.Kind.DONE ? JobState.Phase.DONE : JobState.Phase.FAILED;
        }
        if (order.wish() == JobWish.STOP) {
            return JobState.Phase.STOPPED;
        }
        if (!isPlanned) {
            return JobState.Phase.PLANNING;
        }
        return totals.ranges() == 0 ? JobState.Phase.COMPUTING : JobState.Phase.STORING;
    }
}
