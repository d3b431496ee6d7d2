package io.chimera.dataset.cluster;

import io.chimera.common.metrics.WorkerCounter;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.CloseHelper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker of jobs over data sets: looks at the board again and again, takes work, and reports it. Driven by {@link
 * #step}; one thread, which blocks while the board answers.
 */
public final class JobWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JobWorker.class);

    /** Time between two looks at the board while jobs are under way. */
    public static final Duration BUSY_PERIOD = Duration.ofMillis(250);

    /** Time between two looks at the board without active jobs. */
    public static final Duration IDLE_PERIOD = Duration.ofSeconds(1);

    private final WorkerContext context;
    private final LiveWorkers workers;
    private final Map<JobId, JobShare> shares = new HashMap<>();
    private WorkerSession self;
    private boolean hasSeenFailure;
    private boolean hasHandedOver;

    /**
     * Creates a worker.
     *
     * @param context what the worker uses; closed by the caller after the worker
     */
    public JobWorker(WorkerContext context) {
        this.context = context;
        self = context.self();
        workers = new LiveWorkers(context.clock());
    }

    /**
     * Looks at the board once, and does what is due.
     *
     * @return time until the next step
     */
    public Duration step() {
        try {
            boolean isActive = look();
            hasSeenFailure = false;
            return isActive ? BUSY_PERIOD : IDLE_PERIOD;
        } catch (BoardException e) {
            context.counters().increment(WorkerCounter.BOARD_FAILURES);
            if (!hasSeenFailure) {
                LOG.warn("The record of jobs cannot be used now; the worker tries again: {}", e.getMessage());
            }
            hasSeenFailure = true;
            return IDLE_PERIOD;
        }
    }

    private boolean look() throws BoardException {
        context.board().enlist(self);
        List<JobOrder> orders = context.board().orders();
        forgetOthers(orders);
        if (orders.isEmpty()) {
            hasHandedOver = self.isLeaving();
            return false;
        }
        workers.update(context.board().workers());
        boolean isActive = false;
        boolean isNeeded = false;
        BoardException failure = null;
        for (JobOrder order : orders) {
            JobShare share = shares.computeIfAbsent(order.id(), id -> new JobShare(context, id));
            try {
                isActive |= step(share, order);
                isNeeded |= self.isLeaving() && share.isNeeded(order, workers);
            } catch (BoardException e) {
                failure = e; // records of one job must not keep the worker from the other jobs
            }
        }
        if (failure != null) {
            throw failure;
        }
        hasHandedOver = self.isLeaving() && !isNeeded;
        return isActive;
    }

    /** Returns whether a job has work. A defect ends this job, and other jobs go on. */
    private boolean step(JobShare share, JobOrder order) throws BoardException {
        try {
            return share.step(order, workers, this::free) == JobShare.State.ACTIVE;
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            LOG.error("A job fails by a defect: job={}", order.id(), e);
            share.fail(order, "defect, see the log of this node: " + e);
            return true;
        }
    }

    /** Takes no more work. Further steps let other workers copy the results that jobs under way need. */
    public void leave() {
        self = self.leaving();
    }

    /** Returns whether, after {@link #leave}, no job under way needs this worker any more. */
    public boolean hasHandedOver() {
        return hasHandedOver;
    }

    private int free() {
        return self.isLeaving()
                ? 0
                : self.threads()
                        - shares.values().stream().mapToInt(JobShare::busy).sum();
    }

    /** Ends the work of removed jobs, and deletes their results. */
    private void forgetOthers(List<JobOrder> orders) {
        Set<JobId> ordered = new HashSet<>();
        orders.forEach(order -> ordered.add(order.id()));
        Iterator<Map.Entry<JobId, JobShare>> all = shares.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<JobId, JobShare> one = all.next();
            if (!ordered.contains(one.getKey()) && one.getValue().hasEnded()) {
                all.remove();
            }
        }
        try {
            for (JobId job : context.folder().jobs()) {
                if (!ordered.contains(job) && !shares.containsKey(job)) {
                    context.folder().delete(job);
                }
            }
        } catch (IOException e) {
            LOG.warn("Results of removed jobs cannot be deleted; the worker tries again: {}", e.toString());
        }
    }

    /** Returns the number of pieces of work under way. */
    public int busy() {
        return shares.values().stream().mapToInt(JobShare::busy).sum();
    }

    /** Ends all work. Results that are whole stay. */
    @Override
    public void close() {
        try {
            CloseHelper.closeAll(shares.values()); // each one, also after the failure of another
        } finally {
            shares.clear();
        }
    }
}
