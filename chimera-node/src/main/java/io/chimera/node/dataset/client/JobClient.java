package io.chimera.node.dataset.client;

import io.chimera.archive.server.client.ClientToken;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.netty.NodeTls;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.DatasetCounter;
import io.chimera.common.security.Tls;
import io.chimera.dataset.cluster.BadInputCollector;
import io.chimera.dataset.cluster.BoardException;
import io.chimera.dataset.cluster.JobBoard;
import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.JobOrder;
import io.chimera.dataset.cluster.JobWish;
import io.chimera.dataset.cluster.RowCollector;
import io.chimera.dataset.cluster.WorkerSession;
import io.chimera.dataset.definition.JobConfig;
import io.chimera.dataset.job.SkippedSplit;
import io.chimera.node.cluster.ClusterLink;
import io.chimera.node.dataset.board.ZooKeeperJobBoard;
import io.chimera.node.dataset.worker.ClusterDefinition;
import io.chimera.node.dataset.worker.HttpResultTransfer;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A command's access to the jobs of a cluster. One thread. */
public final class JobClient implements AutoCloseable {
    private final ClusterLink link;
    private final JobBoard board;
    private final HttpResultTransfer transfer;

    /** Outcome of a submission. */
    public enum Submission {
        /** The job is new. */
        SUBMITTED,
        /** The stopped or failed job continues. */
        CONTINUED,
        /** The job runs, or is done. */
        KNOWN
    }

    /**
     * A submitted job.
     *
     * @param id the job
     * @param how what the submission did
     */
    public record Submitted(JobId id, Submission how) {}

    private JobClient(ClusterLink link, HttpResultTransfer transfer) {
        this.link = link;
        this.transfer = transfer;
        board = new ZooKeeperJobBoard(link.session().datasets(), new Counters<>(DatasetCounter.class));
    }

    /**
     * Connects to a cluster.
     *
     * @param config configuration of the cluster
     * @throws ChimeraException when ZooKeeper is unreachable
     */
    public static JobClient open(ChimeraConfig config) throws InterruptedException {
        Optional<NodeTls> tls = Optional.ofNullable(config.node().tls())
                .map(files -> new NodeTls(
                        Tls.open("node.tls", files, true, new SystemClock()),
                        config.coordinator().cluster()));
        String given = ClientToken.ofEnvironment();
        String own = config.node().token() == null ? "" : config.node().token();
        return new JobClient(
                ClusterLink.open(config.coordinator(), "dataset"),
                new HttpResultTransfer(tls, given.isEmpty() ? own : given));
    }

    /**
     * Submits a job, or continues an earlier one with the same definition. An earlier one with another definition and
     * without any computed split is replaced.
     *
     * @param config the job
     * @param folder folder of the job's file
     * @throws IOException when the job is not allowed on a cluster, or the board cannot be written
     * @throws ChimeraException when the name belongs to another definition
     */
    public Submitted submit(JobConfig config, Path folder) throws IOException {
        String text = ClusterDefinition.text(config, folder);
        return submit(board, new JobOrder(new JobId(config.name(), newRun()), text, JobWish.RUN, 1));
    }

    /** Submits a job. One with another definition replaces a job that has ended, or is stopped, without any result. */
    static Submitted submit(JobBoard board, JobOrder wanted) throws IOException {
        String name = wanted.id().name();
        JobOrder found = board.submit(wanted);
        if (found.id().equals(wanted.id())) {
            return new Submitted(found.id(), Submission.SUBMITTED);
        }
        JobState state = state(board, found.id());
        boolean isResting = state.phase() == JobState.Phase.FAILED || state.phase() == JobState.Phase.STOPPED;
        if (!found.definition().equals(wanted.definition())) {
            if (isResting && state.totals().splitsDone() == 0) {
                board.remove(found.id());
                found = board.submit(wanted);
            }
            if (!found.id().equals(wanted.id())) {
                throw new ChimeraException(
                        Category.ERROR,
                        "The cluster has a job " + name + " with another definition. Use another name, or remove the"
                                + " job with chimera dataset remove " + name + ".");
            }
            return new Submitted(found.id(), Submission.SUBMITTED);
        }
        if (isResting) {
            board.update(state.phase() == JobState.Phase.FAILED ? found.again() : found.with(JobWish.RUN));
            return new Submitted(found.id(), Submission.CONTINUED);
        }
        return new Submitted(found.id(), Submission.KNOWN);
    }

    private static long newRun() {
        long drawn = new SecureRandom().nextLong();
        return drawn == 0 ? 1 : drawn;
    }

    /**
     * Orders another attempt of a job, which makes lost results again.
     *
     * @param id the job
     * @throws IOException when the board cannot be written
     */
    void again(JobId id) throws IOException {
        board.update(state(id).order().again());
    }

    /**
     * Returns the state of a job.
     *
     * @param id the job
     * @throws ChimeraException when the job is removed
     * @throws IOException when the board cannot be read
     */
    public JobState state(JobId id) throws IOException {
        return state(board, id);
    }

    private static JobState state(JobBoard board, JobId id) throws IOException {
        return new JobView(board, id).look().orElseThrow(() -> missing(id.name()));
    }

    /** Follows a job. */
    JobView view(JobId id) {
        return new JobView(board, id);
    }

    /** Collects skipped splits and rejected events. */
    BadInputCollector badInput(JobId id) {
        return new BadInputCollector(board, transfer, id);
    }

    /**
     * Lists the skipped splits of a job.
     *
     * @param id the job
     * @return splits ordered by number; empty before all splits are computed or bad
     * @throws IOException when the board cannot be read
     */
    public List<SkippedSplit> skipped(JobId id) throws IOException {
        return badInput(id).skipped();
    }

    /** Collects the rows of pipelines without stores. */
    RowCollector rows(JobId id) {
        return new RowCollector(board, transfer, id, newRun());
    }

    /**
     * Returns the states of all jobs, ordered by name.
     *
     * @throws IOException when the board cannot be read
     */
    public List<JobState> all() throws IOException {
        List<JobState> states = new ArrayList<>();
        for (JobOrder order : board.orders()) {
            new JobView(board, order.id()).look().ifPresent(states::add);
        }
        return states;
    }

    /**
     * Returns the job with a name.
     *
     * @param name name of the job
     * @throws ChimeraException when there is no such job
     * @throws IOException when the board cannot be read
     */
    public JobOrder find(String name) throws IOException {
        return board.orders().stream()
                .filter(order -> order.id().name().equals(name))
                .findFirst()
                .orElseThrow(() -> missing(name));
    }

    private static ChimeraException missing(String name) {
        return new ChimeraException(
                Category.ERROR, "The cluster has no job " + name + "; chimera dataset ls lists the jobs.");
    }

    /**
     * Returns the live workers.
     *
     * @throws BoardException when the board cannot be read
     */
    public List<WorkerSession> workers() throws BoardException {
        return board.workers();
    }

    /**
     * Stops a job; its results stay.
     *
     * @param order the job
     * @return whether the job was running
     * @throws IOException when the board cannot be written
     */
    public boolean stop(JobOrder order) throws IOException {
        JobState state = state(order.id());
        if (state.hasEnded() || state.phase() == JobState.Phase.STOPPED) {
            return false;
        }
        return board.update(order.with(JobWish.STOP));
    }

    /**
     * Removes a job with its results. Rows in stores stay.
     *
     * @param order the job
     * @throws ChimeraException when the job is running
     * @throws IOException when the board cannot be written
     */
    public void remove(JobOrder order) throws IOException {
        JobState state = state(order.id());
        if (!state.hasEnded() && state.phase() != JobState.Phase.STOPPED) {
            throw new ChimeraException(
                    Category.ERROR,
                    "The job " + order.id().name() + " is running. Stop it first: chimera dataset stop "
                            + order.id().name() + ".");
        }
        board.remove(order.id());
    }

    @Override
    public void close() {
        transfer.close();
        link.close();
    }
}
