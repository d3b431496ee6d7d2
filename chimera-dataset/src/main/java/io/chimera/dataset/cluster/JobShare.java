package io.chimera.dataset.cluster;

import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.JobCounter;
import io.chimera.common.metrics.WorkerCounter;
import io.chimera.dataset.cluster.WorkerReport.RangeDone;
import io.chimera.dataset.cluster.WorkerReport.SplitDone;
import io.chimera.dataset.job.JobException;
import io.chimera.dataset.job.JobPlan;
import io.chimera.dataset.job.JobProgram;
import io.chimera.dataset.meter.WorkMeasures;
import io.chimera.dataset.plan.Strategy;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's part in one job: takes work from its list, reports it, and leads the job if it is the leader. One thread.
 */
final class JobShare implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JobShare.class);

    /** Time after an accepted report in which the same work on the list is the leader's old list. */
    private static final Duration SETTLED = Duration.ofSeconds(5);

    /** Time for work to end after an interruption; a read from a source may take as long. */
    private static final Duration END_MAX = Duration.ofSeconds(30);

    private final WorkerContext worker;
    private final JobId job;
    private final JobLedger ledger = new JobLedger();
    private final Counters<JobCounter> counters;
    private final ReportQueue reports;
    private final Map<TaskId, TaskAttempt> running = new TreeMap<>();

    /** Work of the last list, in its order. */
    private List<TaskId> listed = List.of();

    /** Time at which the board accepted the report of some work, for a while. */
    private final Map<TaskId, Long> reportedNs = new HashMap<>();

    private JobPrograms.@Nullable OpenedProgram program;

    /** Definition of the opened program. */
    private String openedDefinition = "";

    private @Nullable JobLeader leader;
    private @Nullable JobPlan plan;
    private @Nullable MergePlan merge;
    private WorkMeasures measured = WorkMeasures.NONE;

    /** Measurements before the program was opened: their sum never falls during a session. */
    private WorkMeasures earlier = WorkMeasures.NONE;

    /** Outcome of the last look at the job. */
    enum State {
        /** The job has work, or may get some. */
        ACTIVE,
        /** The operator has stopped the job. */
        STOPPED,
        /** The job has ended. */
        ENDED
    }

    JobShare(WorkerContext worker, JobId job) {
        this.worker = worker;
        this.job = job;
        counters = worker.jobMetrics().begin(job.name());
        reports = new ReportQueue(worker, job);
    }

    /**
     * Looks at the job, and does what is due.
     *
     * @param order the order of the job
     * @param workers the live workers
     * @param free counts the free threads of the worker; asked after the ended work of the job was collected
     * @return the state of the job
     * @throws BoardException when the board cannot be read or written; the next step continues
     */
    State step(JobOrder order, LiveWorkers workers, IntSupplier free) throws BoardException {
        collect();
        report(free.getAsInt());
        if (order.wish() == JobWish.STOP) {
            end();
            return State.STOPPED;
        }
        Optional<JobOutcome> outcome = worker.board().outcome(job);
        if (outcome.filter(end -> end.attempt() >= order.attempt()).isPresent()) {
            end();
            return State.ENDED;
        }
        if (program != null && !order.definition().equals(openedDefinition)) {
            end(); // the memory, for example, has another value
            if (program != null) {
                return State.ACTIVE; // a thread still uses the program
            }
        }
        lead(order, workers);
        work(order, worker.board().tasks(job, worker.self().session()), workers, free.getAsInt());
        return State.ACTIVE;
    }

    /** Returns the number of threads in use. */
    int busy() {
        return running.size();
    }

    // Leading

    private void lead(JobOrder order, LiveWorkers workers) throws BoardException {
        if (workers.othersStay(worker.self().session())) {
            // The session may outlive the hand-over by far, and nobody else could lead.
            worker.board().resign(job, worker.self().session());
            endLead();
            return;
        }
        if (!worker.board().lead(job, worker.self().session())) {
            endLead();
            return;
        }
        if (leader != null && leader.attempt() != order.attempt()) {
            endLead();
        }
        refresh();
        if (leader == null) {
            try {
                leader = new JobLeader(worker, order, opened(order), ledger, counters);
            } catch (IOException e) {
                fail(order, String.valueOf(e.getMessage()));
                return;
            }
        }
        leader.step(workers);
    }

    /**
     * Ends the job as failed for all workers.
     *
     * @param order the order of the job
     * @param reason why the job cannot go on
     * @throws BoardException when the end cannot be recorded
     */
    void fail(JobOrder order, String reason) throws BoardException {
        worker.board()
                .end(
                        job,
                        new JobOutcome(
                                order.attempt(),
                                JobOutcome.Kind.FAILED,
                                worker.self().node() + ": " + reason,
                                ledger.totals(0, MergePlan.NONE)));
    }

    private void endLead() {
        if (leader != null) {
            leader.stop();
            leader = null;
        }
    }

    private void refresh() throws BoardException {
        ledger.add(worker.board().reports(job, ledger.known()));
    }

    private JobProgram opened(JobOrder order) throws IOException {
        if (program == null) {
            worker.folder().prepare(job);
            try {
                program = worker.programs().open(order);
                openedDefinition = order.definition();
            } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
                LOG.error("A job cannot be opened, and fails: job={}", job, e);
                throw new JobException("the job cannot be opened: " + e, e);
            }
            earlier = measured;
        }
        return program.program();
    }

    // Working

    private void work(JobOrder order, TaskList list, LiveWorkers workers, int free) throws BoardException {
        listed = list.tasks();
        dropOthers(new HashSet<>(listed));
        int left = free;
        for (TaskId task : listed) {
            if (left > 0 && isDue(task)) {
                try {
                    Optional<Callable<Object>> work = work(order, task, list.strategy(), workers);
                    if (work.isPresent()) {
                        running.put(task, TaskAttempt.start(order.attempt(), worker.threads(), work.get()));
                        left--;
                    }
                } catch (BoardException e) {
                    throw e;
                } catch (IOException e) {
                    fail(order.attempt(), task, e);
                }
            }
        }
    }

    /** Cancels work that is not on the list any more. */
    private void dropOthers(Set<TaskId> wanted) {
        running.forEach((task, attempt) -> {
            if (!wanted.contains(task)) {
                attempt.cancel();
            }
        });
    }

    /** Returns whether work on the list is to begin: it does not run, and no report of its end is on the way. */
    private boolean isDue(TaskId task) {
        return !running.containsKey(task) && !reports.isWaiting(task) && !reportedNs.containsKey(task);
    }

    /** Returns what is to be done; empty while it cannot begin. */
    private Optional<Callable<Object>> work(JobOrder order, TaskId task, Strategy strategy, LiveWorkers workers)
            throws IOException {
        if (plan == null) {
            plan = worker.board().plan(job).orElse(null);
        }
        JobPlan known = plan;
        if (known == null) {
            return Optional.empty();
        }
        if (known.memory() > worker.memoryMax()) {
            throw new JobException(
                    "the job was planned with a memory of " + (known.memory() >> 20)
                            + "MiB, but datasets.memory of this"
                            + " node is " + (worker.memoryMax() >> 20) + "MiB; ask the operator for more, or remove the"
                            + " job and run it again",
                    null);
        }
        TaskWork work = new TaskWork(job, known, opened(order), worker.folder());
        if (task.kind() == TaskId.Kind.SPLIT) {
            Optional<LeavingResult> handedOver = leavingResult(task, workers);
            Optional<String> reported = work.hasResult(task.number()) ? reportedDigest(task) : Optional.empty();
            return Optional.of(() -> work.split(known.splits().get(task.number()), strategy, handedOver, reported));
        }
        if (merge == null) {
            merge = worker.board().mergePlan(job).orElse(null);
        }
        MergePlan decided = merge;
        refresh();
        if (decided == null || task.number() >= decided.ranges().size()) {
            return Optional.empty();
        }
        return SplitResults.find(
                        job,
                        decided.ranges().get(task.number()),
                        known.splits().size(),
                        decided.leavesOut(),
                        ledger,
                        workers,
                        worker.folder(),
                        worker.transfer())
                .map(results -> () -> work.range(task.number(), results));
    }

    /** Returns the digest of a split in the reports of all workers. */
    private Optional<String> reportedDigest(TaskId task) throws BoardException {
        refresh();
        return ledger.digest(task.number());
    }

    /** Returns the result of a split at a worker that leaves. */
    private Optional<LeavingResult> leavingResult(TaskId task, LiveWorkers workers) throws BoardException {
        if (!workers.hasLeaving()) {
            return Optional.empty();
        }
        refresh();
        return ledger.split(task.number(), workers::isThere)
                .filter(held -> held.place().folder() != worker.folder().id())
                .flatMap(held -> workers.of(held.place().folder())
                        .map(from -> new LeavingResult(
                                new ResultBytes(job, task, from, worker.transfer()),
                                held.place().digest())));
    }

    /**
     * Returns whether this worker has results of a job under way that no worker has that stays.
     *
     * @throws BoardException when the board cannot be read
     */
    boolean isNeeded(JobOrder order, LiveWorkers workers) throws BoardException {
        boolean hasEnded = worker.board()
                .outcome(job)
                .filter(end -> end.attempt() >= order.attempt())
                .isPresent();
        if (hasEnded || order.wish() == JobWish.STOP || workers.staying().isEmpty()) {
            return false;
        }
        refresh();
        try {
            MergePlan known = worker.board().mergePlan(job).orElse(MergePlan.NONE);
            return !reports.isEmpty() || ledger.isNeeded(worker.folder().id(), workers::isStaying, known.leavesOut());
        } catch (JobException e) {
            return false; // the leader ends the job
        }
    }

    // Reporting

    /** Reports early while all further work fits on the free threads: so the leader can hand out more in time. */
    private void report(int free) throws BoardException {
        long nowNs = worker.clock().nanoTime();
        reportedNs.values().removeIf(atNs -> nowNs - atNs > SETTLED.toNanos());
        boolean hasWork = listed.stream().filter(this::isDue).count() > free;
        reports.flush(hasWork).forEach(task -> reportedNs.put(task, nowNs));
    }

    private void collect() {
        Iterator<Map.Entry<TaskId, TaskAttempt>> all = running.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<TaskId, TaskAttempt> one = all.next();
            if (one.getValue().hasEnded()) {
                all.remove();
                collect(one.getKey(), one.getValue());
            }
        }
    }

    private void collect(TaskId task, TaskAttempt attempt) {
        try {
            add(attempt.ofOrder(), attempt.result());
        } catch (ExecutionException e) {
            if (!attempt.isCancelled()) {
                fail(attempt.ofOrder(), task, e.getCause() == null ? e : e.getCause());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void add(int attempt, Object done) {
        Counters<WorkerCounter> all = worker.counters();
        if (done instanceof SplitDone split) {
            all.increment(WorkerCounter.SPLITS);
            all.add(WorkerCounter.POINTS, split.points());
            all.add(WorkerCounter.REJECTED, split.rejected());
            counters.increment(JobCounter.SPLITS);
            counters.add(JobCounter.BYTES, split.bytes());
            counters.add(JobCounter.POINTS, split.points());
            counters.add(JobCounter.REJECTED, split.rejected());
            measure();
            reports.add(attempt, split);
        } else if (done instanceof RangeDone range) {
            all.increment(WorkerCounter.RANGES);
            all.add(WorkerCounter.ROWS, range.rows());
            counters.add(JobCounter.ROWS, range.rows());
            reports.add(attempt, range);
        }
    }

    /** Counts what the job has done here since the last split. */
    private void measure() {
        if (program != null) {
            WorkMeasures now = earlier.plus(program.program().meters().measures());
            Counters<WorkerCounter> counters = worker.counters();
            counters.add(
                    WorkerCounter.RECEIVED_BYTES,
                    now.received().bytes() - measured.received().bytes());
            counters.add(
                    WorkerCounter.COPIED_BYTES,
                    now.copied().bytes() - measured.copied().bytes());
            counters.add(WorkerCounter.NEAR_BYTES, now.nearBytes() - measured.nearBytes());
            measured = now;
            reports.measured(now);
        }
    }

    private void fail(int attempt, TaskId task, Throwable cause) {
        if (cause instanceof LostResultException gone) {
            worker.counters().increment(WorkerCounter.RESULTS_LOST);
            LOG.info("A result of job {} cannot be read: {}", job, String.valueOf(cause.getCause()));
            reports.add(attempt, task, gone.lost());
            return;
        }
        worker.counters().increment(WorkerCounter.FAILURES);
        counters.increment(JobCounter.FAILURES);
        if (cause instanceof IOException) {
            LOG.warn("Work of job {} failed: {}: {}", job, task, cause.toString());
        } else {
            LOG.error("Work of a job failed by a defect: job={} work={}", job, task, cause);
        }
        reports.add(attempt, TaskFailures.of(task, worker.self().node(), cause));
    }

    // Ending

    /** Cancels the work, and closes the program once no thread uses it. */
    private void end() {
        running.values().forEach(TaskAttempt::cancel);
        endLead();
        if (running.isEmpty() && program != null) {
            program.close();
            program = null;
        }
    }

    /**
     * Ends the work of a removed job without reports.
     *
     * @return whether no thread works on the job any more
     */
    boolean hasEnded() {
        running.values().removeIf(TaskAttempt::hasEnded);
        end();
        if (running.isEmpty()) {
            worker.jobMetrics().end(job.name(), counters);
        }
        return running.isEmpty();
    }

    /** Ends the lead and all work of the job here, and waits for the end. */
    @Override
    public void close() {
        try {
            resign(); // first: the session may outlive the worker, and nobody else could lead
        } finally {
            endWork();
        }
    }

    private void resign() {
        try {
            worker.board().resign(job, worker.self().session());
        } catch (BoardException e) {
            LOG.info("The lead of job {} stays until the end of the session with ZooKeeper: {}", job, e.getMessage());
        }
    }

    private void endWork() {
        running.values().forEach(TaskAttempt::cancel);
        try {
            for (TaskAttempt attempt : running.values()) {
                attempt.awaitEnd(END_MAX);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        running.clear();
        end();
        worker.jobMetrics().end(job.name(), counters);
    }
}
