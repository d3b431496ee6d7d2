package io.chimera.node.dataset.client;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.dataset.cluster.BoardException;
import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.RowCollector;
import io.chimera.dataset.meter.JobMeters;
import io.chimera.dataset.meter.RateHistory;
import io.chimera.dataset.meter.WorkerMeter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Watches a job until its end, and collects its rows. Ends without an effect on the job when its thread is interrupted.
 * One thread.
 */
public final class JobWatch {
    private static final long LOOK_MS = 500;
    private static final Duration PRINT = Duration.ofSeconds(2);

    /** Maximum time without an answer of ZooKeeper. */
    private static final Duration OUTAGE_MAX = Duration.ofMinutes(2);

    /** Attempts at rows that were lost with their workers after the end of the job. */
    private static final int COLLECTIONS_MAX = 3;

    private final JobClient client;
    private final JobId job;
    private final JobView view;
    private final Consumer<String> progress;
    private final long startNs = System.nanoTime();
    private final RateHistory course = new RateHistory(startNs, TimeUnit.MILLISECONDS.toNanos(LOOK_MS));

    /**
     * Creates a watch.
     *
     * @param client access to the cluster
     * @param job the job
     * @param progress receives a line about the progress from time to time
     */
    public JobWatch(JobClient client, JobId job, Consumer<String> progress) {
        this.client = client;
        this.job = job;
        this.progress = progress;
        view = client.view(job);
    }

    /**
     * End of a watch.
     *
     * @param state last state of the job
     * @param hasRows whether the file of the rows was written
     * @param rejectsUnread splits whose rejected events are missing in the file, because their workers are away
     * @param workers parts of the workers in the job, without times
     * @param seconds time of the watch
     * @param course bytes of the computed splits over this time
     */
    public record Watched(
            JobState state,
            boolean hasRows,
            int rejectsUnread,
            List<WorkerMeter.Totals> workers,
            double seconds,
            List<RateHistory.Point> course) {
        /** Copies the lists. */
        public Watched {
            workers = List.copyOf(workers);
            course = List.copyOf(course);
        }
    }

    /**
     * Waits until the job has ended or is stopped, then collects bad input, and the rows of pipelines without stores.
     *
     * @param file file of the rows; the files of bad input come into its folder
     * @param rejectsMax maximum number of rejected events in their file
     * @throws ChimeraException when the job is removed, its rows are lost again and again, or ZooKeeper does not answer
     * @throws IOException when the file cannot be written
     */
    public Watched untilEnd(Path file, int rejectsMax) throws IOException, InterruptedException {
        for (int attempt = 1; attempt <= COLLECTIONS_MAX; attempt++) {
            JobState end = await();
            if (end.phase() != JobState.Phase.DONE) {
                return watched(end, false, 0);
            }
            RowCollector.Collected collected = client.rows(job).collect(file);
            if (collected != RowCollector.Collected.MISSING) {
                int unread = client.badInput(job).collect(file.toAbsolutePath().getParent(), rejectsMax);
                return watched(end, collected == RowCollector.Collected.WRITTEN, unread);
            }
            progress.accept("Rows were lost with their node; the job makes them again.");
            client.again(job);
        }
        throw new ChimeraException(
                Category.ERROR,
                "The rows of the job " + job.name() + " were lost with their nodes several times; run the command"
                        + " again once the nodes stay connected.");
    }

    private Watched watched(JobState end, boolean hasRows, int rejectsUnread) throws IOException {
        double seconds = (System.nanoTime() - startNs) / (double) TimeUnit.SECONDS.toNanos(1);
        return new Watched(end, hasRows, rejectsUnread, view.workers(), seconds, course.points());
    }

    private JobState await() throws InterruptedException {
        long printedNs = System.nanoTime() - PRINT.toNanos();
        long answeredNs = System.nanoTime();
        while (true) {
            try {
                Optional<JobState> state = view.look();
                answeredNs = System.nanoTime();
                if (state.isEmpty()) {
                    throw new ChimeraException(Category.ERROR, "The job " + job.name() + " was removed.");
                }
                long bytes = state.get().totals().bytes();
                course.add(answeredNs, new JobMeters.Sums(bytes, 0, bytes, 0, 0));
                if (state.get().hasEnded() || state.get().phase() == JobState.Phase.STOPPED) {
                    return state.get();
                }
                if (System.nanoTime() - printedNs >= PRINT.toNanos()) {
                    printedNs = System.nanoTime();
                    progress.accept(state.get().line());
                }
            } catch (BoardException e) {
                if (System.nanoTime() - answeredNs > OUTAGE_MAX.toNanos()) {
                    throw new ChimeraException(
                            Category.ERROR,
                            "The progress cannot be read: " + e.getMessage() + " The job continues without this"
                                    + " command.",
                            e);
                }
            }
            Thread.sleep(LOOK_MS);
        }
    }
}
