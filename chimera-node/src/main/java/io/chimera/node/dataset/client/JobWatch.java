package io.chimera.node.dataset.client;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.dataset.cluster.BoardException;
import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.RowCollector;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
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
     */
    public record Watched(JobState state, boolean hasRows) {}

    /**
     * Waits until the job has ended or is stopped, then collects the rows of pipelines without stores.
     *
     * @param file file of the rows
     * @throws ChimeraException when the job is removed, its rows are lost again and again, or ZooKeeper does not answer
     * @throws IOException when the file cannot be written
     */
    public Watched untilEnd(Path file) throws IOException, InterruptedException {
        for (int attempt = 1; attempt <= COLLECTIONS_MAX; attempt++) {
            JobState end = await();
            if (end.phase() != JobState.Phase.DONE) {
                return new Watched(end, false);
            }
            RowCollector.Collected collected = client.rows(job).collect(file);
            if (collected != RowCollector.Collected.MISSING) {
                return new Watched(end, collected == RowCollector.Collected.WRITTEN);
            }
            progress.accept("Rows were lost with their node; the job makes them again.");
            client.again(job);
        }
        throw new ChimeraException(
                Category.ERROR,
                "The rows of the job " + job.name() + " were lost with their nodes several times; run the command"
                        + " again once the nodes stay connected.");
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
