package io.chimera.dataset.cluster;

import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.JobCounter;
import io.chimera.dataset.cluster.WorkerReport.SplitDone;
import io.chimera.dataset.cluster.WorkerReport.TaskFailure;
import io.chimera.dataset.job.JobException;
import io.chimera.dataset.job.JobPlan;
import io.chimera.dataset.job.JobProgram;
import io.chimera.dataset.job.SkippedSplit;
import io.chimera.dataset.job.Split;
import io.chimera.dataset.job.SplitLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads a job for one term: plans it, hands out splits, then ranges of windows, and records the end. Everything that a
 * leader knows is on the board, so any worker can take the lead at any time. Driven by {@link #step}; one thread.
 */
final class JobLeader {
    private static final Logger LOG = LoggerFactory.getLogger(JobLeader.class);

    /** Failures of one piece of work, at any workers, after which the job fails. */
    static final int FAILURES_MAX = 3;

    /**
     * Lost results of one piece of work after which the job fails: nodes that cannot reach each other would compute,
     * and read the source, for ever.
     */
    static final int LOSSES_MAX = 20;

    /** Ranges of windows per worker: enough that a slow worker does not hold up the others. */
    private static final int RANGES_PER_WORKER = 4;

    private final JobBoard board;
    private final JobOrder order;
    private final JobProgram program;
    private final TaskThreads threads;
    private final SplitLimit splits;
    private final JobLedger ledger;
    private final Counters<JobCounter> counters;
    private final BadSplitVerdicts verdicts;
    private final HandOut handOut;
    private final LeaderStrategy strategy;
    private LeaderPhase phase = LeaderPhase.PLANNING;
    private @Nullable Future<JobPlan> planning;
    private @Nullable JobPlan plan;
    private @Nullable MergePlan merge;
    private IntPredicate leavesOut = split -> false;

    /**
     * Begins a term.
     *
     * @param worker the worker that leads the job
     * @param order the job
     * @param program what the job computes
     * @param ledger the known reports; the caller adds further ones
     * @param counters counters of the job
     */
    JobLeader(
            WorkerContext worker, JobOrder order, JobProgram program, JobLedger ledger, Counters<JobCounter> counters) {
        board = worker.board();
        threads = worker.threads();
        splits = SplitLimit.ofMemory(worker.memoryMax());
        this.order = order;
        this.program = program;
        this.ledger = ledger;
        this.counters = counters;
        verdicts = new BadSplitVerdicts(ledger, order.attempt());
        handOut = new HandOut(board, order.id(), worker.clock());
        strategy = new LeaderStrategy(order.id(), program, ledger, worker.clock());
    }

    /** Returns the attempt of the order that this term is for. */
    int attempt() {
        return order.attempt();
    }

    /**
     * Looks at the job, and does what is due.
     *
     * @param workers the live workers
     * @throws BoardException when the board cannot be read or written; the next step continues
     */
    void step(LiveWorkers workers) throws BoardException {
        if (phase == LeaderPhase.ENDED || endIfFailed()) {
            return;
        }
        try {
            lead(workers);
        } catch (JobException e) {
            end(JobOutcome.Kind.FAILED, String.valueOf(e.getMessage()));
        }
    }

    private void lead(LiveWorkers workers) throws BoardException, JobException {
        if (phase == LeaderPhase.PLANNING) {
            plan();
        }
        if (phase == LeaderPhase.SPLITS || phase == LeaderPhase.RANGES) {
            handOut(workers);
        }
    }

    /** Ends the term without an end of the job. */
    void stop() {
        if (planning != null) {
            planning.cancel(true);
        }
    }

    private boolean endIfFailed() throws BoardException {
        Optional<TaskId> lost = ledger.lostAgain(order.attempt(), LOSSES_MAX);
        if (lost.isPresent()) {
            end(
                    JobOutcome.Kind.FAILED,
                    "the result of " + lost.get() + " was computed and could not be read " + LOSSES_MAX + " times, see"
                            + " the logs of the nodes; repair the network between the nodes, or their disks, then run"
                            + " the job again");
            return true;
        }
        for (TaskId task : ledger.failed(order.attempt())) {
            List<TaskFailure> failures = ledger.failures(task, order.attempt()).stream()
                    .filter(failure -> failure.fault().isEmpty()) // judged by several workers
                    .toList();
            Optional<TaskFailure> decisive = failures.stream()
                    .filter(TaskFailure::isFinal)
                    .findFirst()
                    .or(() -> failures.size() >= FAILURES_MAX
                            ? Optional.of(failures.get(failures.size() - 1))
                            : Optional.empty());
            if (decisive.isPresent()) {
                end(JobOutcome.Kind.FAILED, decisive.get().reason());
                return true;
            }
        }
        return false;
    }

    private void end(JobOutcome.Kind kind, String reason) throws BoardException {
        int splits = plan == null ? 0 : plan.splits().size();
        MergePlan known = merge == null ? MergePlan.NONE : merge;
        board.end(order.id(), new JobOutcome(order.attempt(), kind, reason, ledger.totals(splits, known)));
        phase = LeaderPhase.ENDED;
        LOG.info("Job {} has ended: {} {}", order.id(), kind, reason);
    }

    // Planning

    private void plan() throws BoardException, JobException {
        Optional<JobPlan> recorded = board.plan(order.id());
        if (recorded.isPresent()) {
            stop();
            plan = recorded.get();
            readMergePlan();
            handOut.begin();
            phase = LeaderPhase.SPLITS;
        } else if (planning == null) {
            planning = threads.submit((Callable<JobPlan>) () -> program.plan(splits));
        } else if (planning.isDone()) {
            Future<JobPlan> made = planning;
            planning = null;
            record(made);
        }
    }

    /** Records the plan; the next step reads which plan the board has. */
    private void record(Future<JobPlan> made) throws BoardException {
        try {
            board.recordPlan(order.id(), made.get());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                end(JobOutcome.Kind.FAILED, String.valueOf(failure.getMessage()));
            } else {
                LOG.error("The planning of a job failed by a defect: job={}", order.id(), e.getCause());
                end(JobOutcome.Kind.FAILED, "the job could not be planned: " + e.getCause());
            }
        } catch (JobException e) {
            end(JobOutcome.Kind.FAILED, String.valueOf(e.getMessage()));
        } catch (CancellationException e) {
            LOG.debug("The planning of job {} was cancelled.", order.id());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // Handing out

    private void handOut(LiveWorkers workers) throws BoardException, JobException {
        JobPlan known = plan;
        if (known == null || endIfResultsDiffer(known, workers)) {
            return;
        }
        List<Integer> withoutResult = splitsWithoutResult(known, workers);
        Collection<TaskId> missing = withoutResult.stream().map(TaskId::split).toList();
        if (merge == null) {
            BadSplitVerdicts.Sorted sorted = verdicts.sort(withoutResult, workers);
            if (endIfTooManyBad(known, sorted.bad())) {
                return;
            }
            missing = sorted.toCompute();
        }
        if (missing.isEmpty() && merge == null) {
            recordMergePlan(known, workers);
            return; // the next step follows the plan that the board has
        }
        MergePlan decided = merge;
        if (missing.isEmpty() && decided != null) {
            phase = LeaderPhase.RANGES;
            missing = missingRanges(decided, workers::isExpected);
            if (missingRanges(decided, workers::isStaying).isEmpty()) {
                end(JobOutcome.Kind.DONE, "");
                return;
            }
        } else {
            phase = LeaderPhase.SPLITS;
            if (decided != null && endIfBad(known, missing, workers)) {
                return;
            }
            handOut.strategy(strategy.next(lengths(missing), workers.staying()));
            if (program.hasCopies()) {
                handOut.prefer(this::home);
            }
        }
        handOut.update(missing, workers.staying(), new FailuresOfJob());
    }

    /** Ends the job when a split that was computed twice gave two results: ranges may have used either one. */
    private boolean endIfResultsDiffer(JobPlan known, LiveWorkers workers) throws BoardException {
        List<JobLedger.Held<SplitDone>> results = ledger.differing(leavesOut);
        if (results.isEmpty()) {
            return false;
        }
        List<String> nodes = results.stream()
                .map(held -> workers.of(held.place().folder())
                        .map(WorkerSession::node)
                        .orElse("a node that has gone"))
                .toList();
        end(
                JobOutcome.Kind.FAILED,
                known.splits().get(results.get(0).done().split()) + " was computed twice, and gave one result at "
                        + nodes.get(0) + " and another one at " + nodes.get(1)
                        + ", so the rows are uncertain. Make the object, the plugins and the versions of Chimera equal"
                        + " for all nodes; then remove the job and run it again.");
        return true;
    }

    /** Failures of this attempt, as the hand-out counts them. */
    private final class FailuresOfJob implements HandOut.TaskFailureCounts {
        @Override
        public int at(WorkerSession worker, TaskId task) {
            return ledger.failures(task, order.attempt(), worker.folder()) + ledger.losses(task, worker.folder());
        }

        @Override
        public int of(WorkerSession worker) {
            return ledger.failedAt(worker.folder());
        }

        @Override
        public boolean isHopeless(WorkerSession worker, TaskId task) {
            return task.kind() == TaskId.Kind.SPLIT
                    && ledger.foundBad(task.number(), order.attempt()).contains(worker.folder());
        }
    }

    /**
     * Returns the worker that keeps the copies of a split: by rendezvous hashing of the folders of the workers, so that
     * later jobs over the same object find the copies, and few splits move when a worker comes or goes.
     */
    private WorkerSession home(TaskId task, List<WorkerSession> workers) {
        if (task.kind() != TaskId.Kind.SPLIT || plan == null) {
            return workers.get(Math.floorMod(task.number(), workers.size()));
        }
        Split split = plan.splits().get(task.number());
        long seed = 31L * split.object().path().hashCode() + split.range().from();
        WorkerSession home = workers.get(0);
        for (WorkerSession worker : workers) {
            if (weight(seed, worker) > weight(seed, home)) {
                home = worker;
            }
        }
        return home;
    }

    private static long weight(long seed, WorkerSession worker) {
        long mixed = seed ^ worker.folder();
        mixed = (mixed ^ (mixed >>> 33)) * 0xFF51_AFD7_ED55_8CCDL; // the final mix of MurmurHash3
        mixed = (mixed ^ (mixed >>> 33)) * 0xC4CE_B9FE_1A85_EC53L;
        return mixed ^ (mixed >>> 33);
    }

    /** Returns the lengths of splits in bytes. */
    private List<Long> lengths(Collection<TaskId> missing) {
        List<Split> all = plan == null ? List.of() : plan.splits();
        return missing.stream()
                .map(task -> all.get(task.number()).range().length())
                .toList();
    }

    /** Returns the splits without a result that are not skipped. */
    private List<Integer> splitsWithoutResult(JobPlan known, LiveWorkers workers) {
        List<Integer> without = new ArrayList<>();
        for (int split = 0; split < known.splits().size(); split++) {
            if (!leavesOut.test(split)
                    && ledger.split(split, workers::isExpected).isEmpty()) {
                without.add(split);
            }
        }
        return without;
    }

    private List<TaskId> missingRanges(MergePlan decided, LongPredicate isThere) {
        List<TaskId> missing = new ArrayList<>();
        for (int range = 0; range < decided.ranges().size(); range++) {
            if (ledger.range(range, isThere).isEmpty()) {
                missing.add(TaskId.range(range));
            }
        }
        return missing;
    }

    // Bad splits

    /** Ends the job once it has more bad splits than it may skip: the workers would report all others as well. */
    private boolean endIfTooManyBad(JobPlan known, List<Integer> bad) throws BoardException {
        if (bad.size() <= MergePlan.SKIPPED_MAX) {
            return false;
        }
        int first = bad.get(0);
        end(
                JobOutcome.Kind.FAILED,
                "more than " + MergePlan.SKIPPED_MAX + " splits are bad; the first one is "
                        + known.splits().get(first) + ": " + verdicts.reason(first)
                        + ". Repair the objects, or correct the patterns of the job, then run the job again.");
        return true;
    }

    /** Ends the job when a lost result cannot be computed again: rows of other ranges may already include the split. */
    private boolean endIfBad(JobPlan known, Collection<TaskId> missing, LiveWorkers workers) throws BoardException {
        for (TaskId task : missing) {
            if (verdicts.isBad(task.number(), workers)) {
                end(
                        JobOutcome.Kind.FAILED,
                        known.splits().get(task.number()) + " was computed, its result is lost with its worker, and now"
                                + " the split is bad: " + verdicts.reason(task.number())
                                + " Start the worker again or repair the object, then run the job again.");
                return true;
            }
        }
        return false;
    }

    /** Records ranges and skipped splits, unless a plan is recorded or no plan can be made. */
    private void recordMergePlan(JobPlan known, LiveWorkers workers) throws BoardException, JobException {
        List<SkippedSplit> skipped = verdicts.list(known, program, split -> ledger.split(split, workers::isExpected)
                .isEmpty());
        List<SkippedSpan> spans = BadSplitVerdicts.spans(known, skipped);
        if (skipped.size() == known.splits().size()) {
            end(
                    JobOutcome.Kind.FAILED,
                    "all " + skipped.size() + " splits are bad; the first one: "
                            + skipped.get(0).message() + ". After the repair, remove the job and run it again.");
            return;
        }
        if (board.mergePlan(order.id()).isEmpty()) {
            Set<Integer> numbers = new HashSet<>();
            skipped.forEach(split -> numbers.add(split.split()));
            WindowSpan windows = ledger.windows(numbers::contains);
            int ranges = Math.min(
                    MergePlan.RANGES_MAX,
                    RANGES_PER_WORKER * Math.max(1, workers.staying().size()));
            board.recordMergePlan(
                    order.id(),
                    new MergePlan(windows.cut(program.windowNs(), ranges), spans, ledger.computed(numbers::contains)));
            if (!skipped.isEmpty()) {
                counters.add(JobCounter.SPLITS_SKIPPED, skipped.size());
                LOG.warn(
                        "Skipped splits of a job: job={} splits={} first={}",
                        order.id(),
                        skipped.size(),
                        skipped.get(0).message());
            }
        }
        readMergePlan();
    }

    private void readMergePlan() throws BoardException, JobException {
        merge = board.mergePlan(order.id()).orElse(null);
        leavesOut = (merge == null ? MergePlan.NONE : merge).leavesOut();
    }
}
