package io.chimera.node.dataset.worker;

import io.chimera.common.agent.Clock;
import io.chimera.common.channel.HttpHandler;
import io.chimera.dataset.cluster.BoardException;
import io.chimera.dataset.cluster.JobOrder;
import io.chimera.dataset.cluster.JobOutcome;
import io.chimera.dataset.cluster.JobWorker;
import io.chimera.dataset.cluster.TaskThreads;
import io.chimera.dataset.cluster.WorkerContext;
import io.chimera.dataset.cluster.WorkerSession;
import io.chimera.node.dataset.board.ZooKeeperJobBoard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's part in jobs over data sets: runs its worker on a thread of its own, beside the live traffic. Any thread,
 * except that {@link #start} is called once.
 */
public final class DatasetWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DatasetWorker.class);

    /** Pause after a defect of the worker; live traffic of the node goes on. */
    private static final Duration AFTER_DEFECT = Duration.ofSeconds(5);

    /** Least time between two looks at the board, however short the pieces of work are. */
    private static final Duration PAUSE_MIN = Duration.ofMillis(50);

    /** Maximum number of failed jobs in the warnings of a node. */
    private static final int FAILED_MAX = 10;

    /** Time to hand results over when the node leaves; afterwards others compute them again. */
    private static final Duration HAND_OVER_MAX = Duration.ofMinutes(10);

    /** Time for the end of the thread; work under way is interrupted. */
    private static final long END_SECONDS_MAX = 35;

    private final ZooKeeperJobBoard board;
    private final WorkerSession self;
    private final JobWorker worker;
    private final ResultService results;
    private final ErrorHandler errors;
    private final WorkThreads threads;
    private final Clock clock;
    private final CountDownLatch stopAsked = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean isLeaving;
    private volatile JobsSeen seen = new JobsSeen(0, List.of(), List.of());

    /**
     * State that the worker saw last.
     *
     * @param busy threads in use
     * @param active names of the jobs that are not at their end
     * @param failed a sentence for each failed job
     */
    private record JobsSeen(int busy, List<String> active, List<String> failed) {}

    /** Threads for work: one per piece of work of this node, and some for the planning of jobs. */
    static final class WorkThreads implements TaskThreads, AutoCloseable {
        private static final int PLANNING = 2;

        private final Semaphore ended = new Semaphore(0);
        private final ExecutorService threads;

        WorkThreads(int count) {
            threads = Executors.newFixedThreadPool(count + PLANNING, task -> {
                Thread thread = new Thread(task, "dataset-work");
                thread.setDaemon(true);
                return thread;
            });
        }

        /** Waits until some work has ended since the last call, or the time is over. */
        void awaitEnd(Duration atMost) throws InterruptedException {
            if (ended.tryAcquire(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                ended.drainPermits();
            }
        }

        /** Ends a wait for the end of work. */
        void wake() {
            ended.release();
        }

        @Override
        public <T> Future<T> submit(Callable<T> work) {
            FutureTask<T> task = new FutureTask<>(work) {
                @Override
                protected void done() {
                    wake();
                }
            };
            threads.execute(task);
            return task;
        }

        @Override
        public void close() {
            threads.shutdownNow();
        }
    }

    /**
     * Creates a worker; {@link #start} starts it.
     *
     * @param context what the worker uses
     * @param threads the threads of the context
     * @param board the board of the context
     * @param results pages of the results
     * @param errors receives defects
     */
    DatasetWorker(
            WorkerContext context,
            WorkThreads threads,
            ZooKeeperJobBoard board,
            ResultService results,
            ErrorHandler errors) {
        this.threads = threads;
        this.board = board;
        this.results = results;
        this.errors = errors;
        clock = context.clock();
        self = context.self();
        worker = new JobWorker(context);
    }

    /** Starts to take work. */
    public void start() {
        Thread thread = new Thread(this::run, "datasets");
        thread.setDaemon(true);
        thread.start();
        LOG.info("The node takes part in jobs over data sets: threads={}", self.threads());
    }

    private void run() {
        try {
            Duration pause = Duration.ZERO;
            while (!isLeaving && !isStoppedIn(pause)) {
                pause = step();
            }
            handOver();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            try {
                end();
            } finally {
                ended.countDown(); // also after an error such as a full heap
            }
        }
    }

    /** Pauses for a time, or until work ends; returns whether the worker is to stop. */
    private boolean isStoppedIn(Duration pause) throws InterruptedException {
        Duration least = pause.compareTo(PAUSE_MIN) < 0 ? pause : PAUSE_MIN;
        if (!stopAsked.await(least.toMillis(), TimeUnit.MILLISECONDS)) {
            threads.awaitEnd(pause.minus(least));
        }
        return stopAsked.getCount() == 0;
    }

    /** Waits until other workers have copied the results of this worker. */
    private void handOver() throws InterruptedException {
        long startNs = clock.nanoTime();
        worker.leave();
        Duration pause = Duration.ZERO;
        while (!worker.hasHandedOver() && !isStoppedIn(pause)) {
            pause = step();
            if (clock.nanoTime() - startNs > HAND_OVER_MAX.toNanos()) {
                LOG.warn(
                        "Results of jobs were not handed over in time, and are computed again by other nodes:"
                                + " seconds={}",
                        HAND_OVER_MAX.toSeconds());
                return;
            }
        }
    }

    private Duration step() {
        try {
            Duration pause = worker.step();
            seen = look();
            return pause;
        } catch (BoardException e) {
            return JobWorker.IDLE_PERIOD; // the worker has logged the same failure
        } catch (RuntimeException e) {
            errors.onError(e);
            return AFTER_DEFECT;
        }
    }

    private JobsSeen look() throws BoardException {
        List<String> active = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        for (JobOrder order : board.orders()) {
            Optional<JobOutcome> end =
                    board.outcome(order.id()).filter(outcome -> outcome.attempt() >= order.attempt());
            if (end.isEmpty()) {
                active.add(order.id().name());
            } else if (end.get().kind() == JobOutcome.Kind.FAILED && failed.size() < FAILED_MAX) {
                failed.add(failure(order.id().name(), end.get().reason()));
            }
        }
        return new JobsSeen(worker.busy(), List.copyOf(active), List.copyOf(failed));
    }

    /** Returns sentences about a failed job; its reason may end with a period, or not. */
    static String failure(String job, String reason) {
        return "Job " + job + " over a data set has failed: " + reason + (reason.endsWith(".") ? "" : ".")
                + " Run it again with chimera dataset run, or remove it with chimera dataset remove.";
    }

    private void end() {
        try {
            board.withdraw(self.session()); // first: others take the work at once
        } catch (BoardException e) {
            LOG.info("The worker's record stays until the end of the session with ZooKeeper: {}", e.getMessage());
        } finally {
            closeWorker();
        }
    }

    private void closeWorker() {
        try {
            worker.close();
        } catch (RuntimeException e) {
            errors.onError(e);
        }
    }

    /** Returns the handlers of the node's HTTP port, by path. */
    public Map<String, HttpHandler> pages() {
        return Map.of(ResultRequest.PATH, results);
    }

    /** Returns the state for the status page. */
    public Map<String, Object> status() {
        JobsSeen now = seen;
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("threads", self.threads());
        status.put("busy", now.busy());
        status.put("jobs", now.active());
        return status;
    }

    /** Returns a sentence for each failed job. */
    public List<String> warnings() {
        return seen.failed();
    }

    /** Returns why the node takes no part in jobs, although nobody stopped it; empty while it does. */
    public Optional<String> notReady() {
        return ended.getCount() > 0 || isLeaving || stopAsked.getCount() == 0
                ? Optional.empty()
                : Optional.of(
                        "The thread for jobs over data sets has ended by an error, see the log; restart the node.");
    }

    /** Takes no more work; other nodes take over what is under way, and copy the results that they need. */
    public void leave() {
        isLeaving = true;
    }

    /** After {@link #leave}: reason why the node cannot stop yet; empty once it can. */
    public Optional<String> awaits() {
        return ended.getCount() == 0 ? Optional.empty() : Optional.of("the handover of its results of data sets");
    }

    @Override
    public void close() {
        stopAsked.countDown();
        threads.wake();
        try {
            if (!ended.await(END_SECONDS_MAX, TimeUnit.SECONDS)) {
                LOG.warn("Work on data sets did not end in time: seconds={}", END_SECONDS_MAX);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
