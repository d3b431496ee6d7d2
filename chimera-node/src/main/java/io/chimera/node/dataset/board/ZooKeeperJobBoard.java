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

/**
 * Record of the jobs of a cluster in ZooKeeper. A malformed record counts as missing, except the plans, which are
 * written once. Any thread.
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
    /** Maximum number of jobs: a poll reads the order of each. */
    private static final int JOBS_MAX = 1_000;

    /** Maximum number of concurrent changes of one record before a write gives up. */
    private static final int ATTEMPTS_MAX = 20;

    private static final byte[] FOLDER = {'{', '}'};
    private static final String WORKERS = "workers";
    private static final String ORDERS = "orders";
    private static final String RUNS = "runs";

    private final SharedFolder folder;
    private final BoardRecords records;
    private final PlanParts plans;

    /**
     * Creates an access to the record.
     *
     * @param folder folder of the jobs in the tree
     * @param counters counts malformed records
     */
    public ZooKeeperJobBoard(SharedFolder folder, Counters<DatasetCounter> counters) {
        this.folder = folder;
        records = new BoardRecords(folder, counters);
        plans = new PlanParts(folder);
    }

    // Orders

    @Override
    public List<JobOrder> orders() throws BoardException {
        return BoardRecords.ask(() -> {
            List<JobOrder> orders = new ArrayList<>();
            for (String name : new TreeSet<>(folder.list(ORDERS))) {
                order(name).ifPresent(orders::add);
            }
            return orders;
        });
    }

    private Optional<JobOrder> order(String name) throws IOException {
        return records.decoded(ORDERS + "/" + name, json -> BoardCodec.order(name, json));
    }

    @Override
    public JobOrder submit(JobOrder order) throws BoardException {
        return BoardRecords.ask(() -> {
            String name = order.id().name();
            createFolders();
            if (folder.list(ORDERS).size() >= JOBS_MAX) {
                throw new BoardException(
                        "the cluster has " + JOBS_MAX + " jobs; remove some with chimera dataset remove", null);
            }
            Map<String, byte[]> all = new LinkedHashMap<>();
            all.put(ORDERS + "/" + name, BoardCodec.order(order));
            all.put(run(order.id()), FOLDER);
            for (String part : List.of("plans", "tasks", "reports")) {
                all.put(run(order.id()) + "/" + part, FOLDER);
            }
            if (folder.createAll(all)) {
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
    public boolean update(JobOrder seen, JobOrder next) throws BoardException {
        return BoardRecords.ask(() -> {
            String path = ORDERS + "/" + seen.id().name();
            return whileUnchanged(seen, version -> folder.replace(path, BoardCodec.order(next), version));
        });
    }

    /** Changes an order at a version. */
    private interface VersionedChange {
        /** Returns false when the order has another version by now. */
        boolean at(int version) throws IOException;
    }

    /** Changes an order at the version that was read, as long as it is the order that the caller has seen. */
    private boolean whileUnchanged(JobOrder seen, VersionedChange change) throws IOException {
        String name = seen.id().name();
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            Optional<Entry> found = folder.read(ORDERS + "/" + name);
            if (found.isEmpty() || !isOrder(seen, found.get())) {
                return false;
            }
            if (change.at(found.get().version())) {
                return true;
            }
        }
        throw new BoardException("the order of the job " + name + " changes all the time; retry", null);
    }

    private static boolean isOrder(JobOrder seen, Entry entry) {
        try {
            return BoardCodec.order(seen.id().name(), entry.data()).equals(seen);
        } catch (MalformedRecordException e) {
            return false;
        }
    }

    @Override
    public boolean remove(JobId id) throws BoardException {
        return BoardRecords.ask(() -> {
            Optional<Entry> found = folder.read(ORDERS + "/" + id.name());
            Optional<JobOrder> order = order(id.name());
            boolean isOther = order.filter(other -> !other.id().equals(id)).isPresent();
            boolean isRemoved = found.isPresent() && !isOther;
            if (isRemoved) {
                folder.deleteAll(ORDERS + "/" + id.name()); // first: no worker begins further work
            }
            removeOrphans();
            return isRemoved;
        });
    }

    @Override
    public boolean removeUnchanged(JobOrder seen) throws BoardException {
        return BoardRecords.ask(() -> {
            String path = ORDERS + "/" + seen.id().name();
            boolean isRemoved = whileUnchanged(seen, version -> folder.delete(path, version));
            removeOrphans();
            return isRemoved;
        });
    }

    /** Removes the records of runs without an order, also those that an interrupted removal left. */
    private void removeOrphans() throws IOException {
        for (String run : folder.list(RUNS)) {
            if (isOrphan(run)) {
                folder.deleteAll(RUNS + "/" + run);
            }
        }
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
    public Optional<JobPlan> plan(JobId id) throws BoardException, JobException {
        return BoardRecords.askPlan(() -> {
            Optional<BoardCodec.PlanPlace> place = records.readable(run(id) + "/plan", id, BoardCodec::place);
            return place.isEmpty() ? Optional.empty() : Optional.of(plans.read(run(id), place.get()));
        });
    }

    @Override
    public void recordPlan(JobId id, JobPlan plan) throws BoardException, JobException {
        PlanParts.PackedPlan packed = packed(plan);
        BoardRecords.ask(() -> {
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
    public Optional<MergePlan> mergePlan(JobId id) throws BoardException, JobException {
        return BoardRecords.askPlan(() -> records.readable(run(id) + "/merge", id, BoardCodec::mergePlan));
    }

    @Override
    public void recordMergePlan(JobId id, MergePlan plan) throws BoardException {
        BoardRecords.ask(() -> {
            requireRun(folder.create(run(id) + "/merge", BoardCodec.mergePlan(plan), Lifetime.KEPT), id);
            return id;
        });
    }

    // Workers

    @Override
    public void enlist(WorkerSession self) throws BoardException {
        BoardRecords.ask(() -> {
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
        BoardRecords.ask(() -> {
            folder.deleteAll(WORKERS + "/" + BoardCodec.hex(session));
            return session;
        });
    }

    @Override
    public List<WorkerSession> workers() throws BoardException {
        return BoardRecords.ask(() -> {
            List<WorkerSession> workers = new ArrayList<>();
            for (String name : folder.list(WORKERS)) {
                records.decoded(WORKERS + "/" + name, BoardCodec::worker).ifPresent(workers::add);
            }
            workers.sort(Comparator.comparingLong(WorkerSession::session));
            return workers;
        });
    }

    @Override
    public boolean lead(JobId id, long session) throws BoardException {
        String path = run(id) + "/leader";
        return BoardRecords.ask(() -> {
            Optional<Entry> found = folder.read(path);
            Optional<Long> leader = records.decoded(path, BoardCodec::leader);
            if (found.isPresent() && leader.filter(other -> other == session).isEmpty()) {
                return false;
            }
            return hold(path, BoardCodec.leader(session));
        });
    }

    @Override
    public void resign(JobId id, long session) throws BoardException {
        String path = run(id) + "/leader";
        BoardRecords.ask(() -> {
            if (records.decoded(path, BoardCodec::leader)
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
        return BoardRecords.ask(
                () -> records.decoded(tasksPath(id, session), BoardCodec::tasks).orElse(TaskList.EMPTY));
    }

    @Override
    public Map<Long, TaskList> allTasks(JobId id) throws BoardException {
        return BoardRecords.ask(() -> {
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
        BoardRecords.ask(() -> {
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
        BoardRecords.ask(() -> {
            if (folder.create(path, BoardCodec.report(report), Lifetime.KEPT) == Creation.NO_PARENT) {
                requireRun(folder.create(of, FOLDER, Lifetime.KEPT), id);
                requireRun(folder.create(path, BoardCodec.report(report), Lifetime.KEPT), id);
            }
            return id;
        });
    }

    @Override
    public List<WorkerReport> reports(JobId id, Map<Long, Long> known) throws BoardException {
        return BoardRecords.ask(() -> {
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
        Optional<WorkerReport> decoded = records.decoded(path, json -> BoardCodec.report(report, json));
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
        return BoardRecords.ask(() -> records.decoded(run(id) + "/outcome", BoardCodec::outcome));
    }

    @Override
    public void end(JobId id, JobOutcome outcome) throws BoardException {
        String path = run(id) + "/outcome";
        BoardRecords.ask(() -> {
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
}
