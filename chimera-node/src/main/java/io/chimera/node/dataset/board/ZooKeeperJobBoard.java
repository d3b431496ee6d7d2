package io.chimera.node.dataset.board;

import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.DatasetCounter;
import io.chimera.coordinator.zookeeper.SharedFolder;
import io.chimera.coordinator.zookeeper.SharedFolder.Creation;
import io.chimera.coordinator.zookeeper.SharedFolder.Entry;
import io.chimera.coordinator.zookeeper.SharedFolder.Lifetime;
import io.chimera.coordinator.zookeeper.TreeException;
import io.chimera.dataset.cluster.BoardException;
import io.chimera.dataset.cluster.JobBoard;
import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.JobOrder;
import io.chimera.dataset.cluster.JobOutcome;
import io.chimera.dataset.cluster.MergePlan;
import io.chimera.dataset.cluster.ReportId;
import io.chimera.dataset.cluster.TaskList;
import io.chimera.dataset.cluster.WorkerReport;
import io.chimera.dataset.cluster.WorkerSession;
import io.chimera.dataset.job.JobException;
import io.chimera.dataset.job.JobPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Record of the jobs of a cluster in ZooKeeper. A malformed record counts as missing. Any thread.
 *
 * <pre>
 * workers/SESSION          a live worker; ephemeral
 * orders/NAME              the order of a job
 * runs/NAME.RUN            records of a job, created and removed with its order
 *   plan                   place of the plan
 *   plans/DIGEST/N         parts of a plan
 *   merge                  ranges of windows, and skipped splits
 *   leader                 session of the leader; ephemeral
 *   tasks/SESSION          work of a worker
 *   reports/SESSION/N      reports of a worker
 *   outcome                end of the newest ended attempt
 * </pre>
 */
public final class ZooKeeperJobBoard implements JobBoard {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperJobBoard.class);

    /** Maximum number of jobs: a poll reads the order of each. */
    private static final int JOBS_MAX = 1_000;

    /** Maximum number of concurrent changes of one record before a write gives up. */
    private static final int ATTEMPTS_MAX = 20;

    private static final byte[] FOLDER = {'{', '}'};
    private static final String WORKERS = "workers";
    private static final String ORDERS = "orders";
    private static final String RUNS = "runs";

    private final SharedFolder folder;
    private final Counters<DatasetCounter> counters;
    private final PlanParts plans;

    /** Versions of the malformed records that were logged, by path; a poll reads them again and again. */
    private final Map<String, Integer> logged = new ConcurrentHashMap<>();

    /**
     * Creates an access to the record.
     *
     * @param folder folder of the jobs in the tree
     * @param counters counts malformed records
     */
    public ZooKeeperJobBoard(SharedFolder folder, Counters<DatasetCounter> counters) {
        this.folder = folder;
        this.counters = counters;
        plans = new PlanParts(folder);
    }

    /** A request to the tree. */
    private interface Request<V> {
        V run() throws IOException;
    }

    /** Decodes a record. */
    private interface Decoder<V> {
        V decode(byte[] json) throws MalformedRecordException;
    }

    // Orders

    @Override
    public List<JobOrder> orders() throws BoardException {
        return ask(() -> {
            List<JobOrder> orders = new ArrayList<>();
            for (String name : new TreeSet<>(folder.list(ORDERS))) {
                order(name).ifPresent(orders::add);
            }
            return orders;
        });
    }

    private Optional<JobOrder> order(String name) throws IOException {
        return decoded(ORDERS + "/" + name, json -> BoardCodec.order(name, json));
    }

    @Override
    public JobOrder submit(JobOrder order) throws BoardException {
        return ask(() -> {
            String name = order.id().name();
            createFolders();
            if (folder.list(ORDERS).size() >= JOBS_MAX) {
                throw new BoardException(
                        "the cluster has " + JOBS_MAX + " jobs; remove some with chimera dataset remove", null);
            }
            Map<String, byte[]> records = new LinkedHashMap<>();
            records.put(ORDERS + "/" + name, BoardCodec.order(order));
            records.put(run(order.id()), FOLDER);
            for (String part : List.of("plans", "tasks", "reports")) {
                records.put(run(order.id()) + "/" + part, FOLDER);
            }
            if (folder.createAll(records)) {
                return order;
            }
            return order(name)
                    .orElseThrow(() -> new BoardException(
                            "the order of the job " + name + " is damaged; remove the job with chimera dataset remove "
                                    + name,
                            null));
        });
    }

    private void createFolders() throws TreeException {
        for (String name : List.of(WORKERS, ORDERS, RUNS)) {
            if (folder.read(name).isEmpty()) {
                folder.create(name, FOLDER, Lifetime.KEPT);
            }
        }
    }

    @Override
    public boolean update(JobOrder order) throws BoardException {
        String path = ORDERS + "/" + order.id().name();
        return ask(() -> {
            for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
                Optional<Entry> found = folder.read(path);
                Optional<JobOrder> recorded = order(order.id().name());
                if (found.isEmpty()
                        || recorded.filter(same -> same.id().equals(order.id())).isEmpty()) {
                    return false;
                }
                if (folder.replace(path, BoardCodec.order(order), found.get().version())) {
                    return true;
                }
            }
            throw new BoardException(
                    "the order of the job " + order.id().name() + " changes all the time; retry", null);
        });
    }

    @Override
    public void remove(JobId id) throws BoardException {
        ask(() -> {
            Optional<Entry> found = folder.read(ORDERS + "/" + id.name());
            Optional<JobOrder> order = order(id.name());
            boolean isOther = order.filter(other -> !other.id().equals(id)).isPresent();
            if (found.isPresent() && !isOther) {
                folder.deleteAll(ORDERS + "/" + id.name()); // first: no worker begins further work
            }
            for (String run : folder.list(RUNS)) {
                if (isOrphan(run)) { // also what an earlier, interrupted removal left
                    folder.deleteAll(RUNS + "/" + run);
                }
            }
            return id;
        });
    }

    /** Returns whether the records of a run have no order. Both are created in one step, so a new run has one. */
    private boolean isOrphan(String run) throws IOException {
        int dot = run.lastIndexOf('.');
        String name = dot < 0 ? run : run.substring(0, dot);
        if (!JobId.isName(name)) {
            return false;
        }
        Optional<Entry> entry = folder.read(ORDERS + "/" + name);
        Optional<JobOrder> order = order(name);
        return entry.isEmpty()
                || order.filter(found -> !run(found.id()).equals(RUNS + "/" + run))
                        .isPresent();
    }

    // Plans

    @Override
    public Optional<JobPlan> plan(JobId id) throws BoardException {
        return ask(() -> {
            Optional<BoardCodec.PlanPlace> place = decoded(run(id) + "/plan", BoardCodec::place);
            return place.isEmpty() ? Optional.empty() : Optional.of(plans.read(run(id), place.get()));
        });
    }

    @Override
    public void recordPlan(JobId id, JobPlan plan) throws BoardException, JobException {
        PlanParts.PackedPlan packed = packed(plan);
        ask(() -> {
            if (folder.read(run(id) + "/plan").isEmpty()) {
                BoardCodec.PlanPlace place = plans.write(run(id), packed);
                requireRun(folder.create(run(id) + "/plan", BoardCodec.place(place), Lifetime.KEPT), id);
            }
            return id;
        });
    }

    private static PlanParts.PackedPlan packed(JobPlan plan) throws JobException {
        try {
            return PlanParts.pack(plan);
        } catch (JobException e) {
            throw e;
        } catch (IOException e) {
            throw new JobException("the plan cannot be encoded: " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<MergePlan> mergePlan(JobId id) throws BoardException {
        return ask(() -> decoded(run(id) + "/merge", BoardCodec::mergePlan));
    }

    @Override
    public void recordMergePlan(JobId id, MergePlan plan) throws BoardException {
        ask(() -> {
            requireRun(folder.create(run(id) + "/merge", BoardCodec.mergePlan(plan), Lifetime.KEPT), id);
            return id;
        });
    }

    // Workers

    @Override
    public void enlist(WorkerSession self) throws BoardException {
        ask(() -> {
            createFolders();
            hold(WORKERS + "/" + BoardCodec.hex(self.session()), BoardCodec.worker(self));
            return self;
        });
    }

    /**
     * Ends the announcement of a worker of this process.
     *
     * @param session session of the worker
     * @throws BoardException when the board cannot be written
     */
    public void withdraw(long session) throws BoardException {
        ask(() -> {
            folder.deleteAll(WORKERS + "/" + BoardCodec.hex(session));
            return session;
        });
    }

    @Override
    public List<WorkerSession> workers() throws BoardException {
        return ask(() -> {
            List<WorkerSession> workers = new ArrayList<>();
            for (String name : folder.list(WORKERS)) {
                decoded(WORKERS + "/" + name, BoardCodec::worker).ifPresent(workers::add);
            }
            workers.sort(Comparator.comparingLong(WorkerSession::session));
            return workers;
        });
    }

    @Override
    public boolean lead(JobId id, long session) throws BoardException {
        String path = run(id) + "/leader";
        return ask(() -> {
            Optional<Entry> found = folder.read(path);
            Optional<Long> leader = decoded(path, BoardCodec::leader);
            if (found.isPresent() && leader.filter(other -> other == session).isEmpty()) {
                return false;
            }
            return hold(path, BoardCodec.leader(session));
        });
    }

    @Override
    public void resign(JobId id, long session) throws BoardException {
        String path = run(id) + "/leader";
        ask(() -> {
            if (decoded(path, BoardCodec::leader)
                    .filter(leader -> leader == session)
                    .isPresent()) {
                folder.deleteAll(path);
            }
            return session;
        });
    }

    /**
     * Creates a record that ends with this session, or replaces it, also one that ends with an earlier session of the
     * worker.
     *
     * @return false when another session was faster, or the job is removed
     */
    private boolean hold(String path, byte[] content) throws TreeException {
        Optional<Entry> found = folder.read(path);
        if (found.isPresent() && found.get().isOwn()) {
            return Arrays.equals(found.get().data(), content)
                    || folder.replace(path, content, found.get().version());
        }
        if (found.isPresent()) {
            folder.deleteAll(path);
        }
        return folder.create(path, content, Lifetime.OF_SESSION) == Creation.CREATED;
    }

    // Work

    @Override
    public TaskList tasks(JobId id, long session) throws BoardException {
        return ask(() -> decoded(tasksPath(id, session), BoardCodec::tasks).orElse(TaskList.EMPTY));
    }

    @Override
    public Map<Long, TaskList> allTasks(JobId id) throws BoardException {
        return ask(() -> {
            Map<Long, TaskList> all = new TreeMap<>();
            for (long session : sessions(run(id) + "/tasks")) {
                TaskList tasks = tasks(id, session);
                if (!tasks.tasks().isEmpty()) {
                    all.put(session, tasks);
                }
            }
            return all;
        });
    }

    @Override
    public void assign(JobId id, long session, TaskList tasks) throws BoardException {
        String path = tasksPath(id, session);
        ask(() -> {
            if (tasks.tasks().isEmpty()) {
                folder.deleteAll(path);
                return id;
            }
            byte[] content = BoardCodec.tasks(tasks);
            for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
                Optional<Entry> found = folder.read(path);
                boolean isWritten = found.isPresent()
                        ? folder.replace(path, content, found.get().version())
                        : requireRun(folder.create(path, content, Lifetime.KEPT), id) == Creation.CREATED;
                if (isWritten) {
                    return id;
                }
            }
            throw new BoardException("the work of a worker of " + id + " changes all the time; retry", null);
        });
    }

    @Override
    public void report(JobId id, WorkerReport report) throws BoardException {
        String of = run(id) + "/reports/" + BoardCodec.hex(report.id().session());
        String path = of + "/" + report.id().number();
        ask(() -> {
            if (folder.create(path, BoardCodec.report(report), Lifetime.KEPT) == Creation.NO_PARENT) {
                requireRun(folder.create(of, FOLDER, Lifetime.KEPT), id);
                requireRun(folder.create(path, BoardCodec.report(report), Lifetime.KEPT), id);
            }
            return id;
        });
    }

    @Override
    public List<WorkerReport> reports(JobId id, Map<Long, Long> known) throws BoardException {
        return ask(() -> {
            List<WorkerReport> reports = new ArrayList<>();
            for (long session : sessions(run(id) + "/reports")) {
                long number = known.getOrDefault(session, 0L) + 1;
                Optional<WorkerReport> next = reportOf(id, new ReportId(session, number));
                while (next.isPresent()) {
                    reports.add(next.get());
                    number++;
                    next = reportOf(id, new ReportId(session, number));
                }
            }
            return reports;
        });
    }

    /** Returns a report; a malformed one counts as a report without entries, so that its results are computed again. */
    private Optional<WorkerReport> reportOf(JobId id, ReportId report) throws IOException {
        String path = run(id) + "/reports/" + BoardCodec.hex(report.session()) + "/" + report.number();
        Optional<WorkerReport> decoded = decoded(path, json -> BoardCodec.report(report, json));
        return decoded.isPresent() || folder.read(path).isEmpty()
                ? decoded
                : Optional.of(new WorkerReport(report, 0, 0, List.of(), List.of(), List.of(), List.of()));
    }

    private List<Long> sessions(String path) throws TreeException {
        return folder.list(path).stream()
                .filter(name -> name.matches("[0-9a-f]{16}"))
                .map(BoardCodec::id)
                .sorted()
                .toList();
    }

    // End

    @Override
    public Optional<JobOutcome> outcome(JobId id) throws BoardException {
        return ask(() -> decoded(run(id) + "/outcome", BoardCodec::outcome));
    }

    @Override
    public void end(JobId id, JobOutcome outcome) throws BoardException {
        String path = run(id) + "/outcome";
        ask(() -> {
            byte[] content = BoardCodec.outcome(outcome);
            for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
                Optional<Entry> found = folder.read(path);
                Optional<JobOutcome> earlier = outcome(id);
                if (earlier.filter(end -> end.attempt() >= outcome.attempt()).isPresent()) {
                    return id;
                }
                boolean isWritten = found.isPresent()
                        ? folder.replace(path, content, found.get().version())
                        : requireRun(folder.create(path, content, Lifetime.KEPT), id) == Creation.CREATED;
                if (isWritten) {
                    return id;
                }
            }
            throw new BoardException("the end of " + id + " changes all the time; retry", null);
        });
    }

    private static String run(JobId id) {
        return RUNS + "/" + id.name() + "." + id.runHex();
    }

    private static String tasksPath(JobId id, long session) {
        return run(id) + "/tasks/" + BoardCodec.hex(session);
    }

    private static Creation requireRun(Creation creation, JobId id) throws BoardException {
        if (creation == Creation.NO_PARENT) {
            throw new BoardException("the job " + id + " is removed", null);
        }
        return creation;
    }

    private <V> Optional<V> decoded(String path, Decoder<V> decoder) throws TreeException {
        Optional<Entry> found = folder.read(path);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(decoder.decode(found.get().data()));
        } catch (MalformedRecordException e) {
            Integer version = found.get().version();
            if (logged.size() < JOBS_MAX && !version.equals(logged.put(path, version))) {
                counters.increment(DatasetCounter.RECORDS_MALFORMED);
                LOG.error(
                        "Ignored a malformed record of a job: path=datasets/{} reason={}. Find its writer, or remove"
                                + " the job with chimera dataset remove.",
                        path,
                        e.getMessage());
            }
            return Optional.empty();
        }
    }

    private static <V> V ask(Request<V> request) throws BoardException {
        try {
            return request.run();
        } catch (BoardException e) {
            throw e;
        } catch (IOException e) {
            throw new BoardException(String.valueOf(e.getMessage()), e);
        }
    }
}
