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
import io.chimera.dataset.job.JobPlan;
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

    /**
     * Submits a job. One with another definition replaces a job that has ended, or is stopped, without any result. A
     * change of keys without an effect on the rows continues a job that has failed, or is stopped.
     */
    static Submitted submit(JobBoard board, JobOrder wanted) throws IOException {
        JobOrder found = board.submit(wanted);
        if (found.id().equals(wanted.id())) {
            return new Submitted(found.id(), Submission.SUBMITTED);
        }
        JobState state = state(board, found.id());
        boolean isResting = state.phase() == JobState.Phase.FAILED || state.phase() == JobState.Phase.STOPPED;
        JobOrder seen = state.order();
        boolean isSame = seen.definition().equals(wanted.definition());
        if (!isSame && !hasSameRows(board, seen, wanted)) {
            return replace(board, state, wanted, isResting);
        }
        if (isResting) {
            boolean isNewAttempt = !isSame || state.phase() == JobState.Phase.FAILED;
            JobOrder next =
                    new JobOrder(seen.id(), wanted.definition(), JobWish.RUN, seen.attempt() + (isNewAttempt ? 1 : 0));
            if (!board.update(seen, next)) {
                throw changed(seen);
            }
            return new Submitted(seen.id(), Submission.CONTINUED);
        }
        if (!isSame && !state.hasEnded()) {
            throw new ChimeraException(
                    Category.ERROR,
                    "The job " + seen.id().name() + " runs with another value of memory, workers, strategy, copies,"
                            + " prices or limits. Stop it first: chimera dataset stop "
                            + seen.id().name() + ".");
        }
        return new Submitted(seen.id(), Submission.KNOWN);
    }

    /** Replaces a job without any result, unless another command continues the job at the same time. */
    private static Submitted replace(JobBoard board, JobState state, JobOrder wanted, boolean isResting)
            throws IOException {
        boolean isReplaced = isResting
                && state.totals().splitsDone() == 0
                && board.removeUnchanged(state.order())
                && board.submit(wanted).id().equals(wanted.id());
        if (!isReplaced) {
            String name = wanted.id().name();
            throw new ChimeraException(
                    Category.ERROR,
                    "The cluster has a job " + name + " with another definition. Use another name, or remove the"
                            + " job with chimera dataset remove " + name + ".");
        }
        return new Submitted(wanted.id(), Submission.SUBMITTED);
    }

    /** Returns whether results of a job have their use under another definition. */
    private static boolean hasSameRows(JobBoard board, JobOrder seen, JobOrder wanted) throws IOException {
        boolean hasMemory = board.plan(seen.id()).map(JobPlan::hasMemory).orElse(true);
        return ClusterDefinition.haveSameRows(seen, wanted, hasMemory);
    }

    private static ChimeraException changed(JobOrder order) {
        return new ChimeraException(
                Category.ERROR,
                "Another command has changed the job " + order.id().name() + " at the same time; run this one again.");
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
        JobOrder order = state(id).order();
        board.update(order, order.again()); // unless another command was faster
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
        if (!board.update(state.order(), state.order().with(JobWish.STOP))) {
            throw changed(order);
        }
        return true;
    }

    /**
     * Removes a job with its results. Rows in stores stay.
     *
     * @param name name of the job; its record may be unreadable
     * @throws ChimeraException when the job is running, or there is no such job
     * @throws IOException when the board cannot be written
     */
    public void remove(String name) throws IOException {
        Optional<JobOrder> order = board.orders().stream()
                .filter(found -> found.id().name().equals(name))
                .findFirst();
        if (order.isPresent()) {
            remove(board, order.get());
        } else if (!JobId.isName(name) || !board.remove(new JobId(name, newRun()))) {
            throw missing(name);
        }
    }

    static void remove(JobBoard board, JobOrder order) throws IOException {
        JobState state = state(board, order.id());
        if (!state.hasEnded() && state.phase() != JobState.Phase.STOPPED) {
            throw new ChimeraException(
                    Category.ERROR,
                    "The job " + order.id().name() + " is running. Stop it first: chimera dataset stop "
                            + order.id().name() + ".");
        }
        if (!board.removeUnchanged(state.order())) {
            throw changed(order);
        }
    }

    @Override
    public void close() {
        transfer.close();
        link.close();
    }
}
