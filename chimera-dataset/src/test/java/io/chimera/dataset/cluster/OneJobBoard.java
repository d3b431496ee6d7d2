package io.chimera.dataset.cluster;

import io.chimera.dataset.job.JobException;
import io.chimera.dataset.job.JobPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Records of one job in memory, for one worker. A test reads and writes the fields. One thread. */
class OneJobBoard implements JobBoard {
    final List<WorkerReport> reports = new ArrayList<>();
    final List<JobId> resigned = new ArrayList<>();
    final Map<Long, TaskList> lists = new TreeMap<>();
    List<JobOrder> orders = List.of();
    List<WorkerSession> workers = List.of();
    boolean refusesReports;
    boolean hasLeader = true;
    Optional<JobPlan> plan = Optional.empty();
    Optional<MergePlan> mergePlan = Optional.empty();
    Optional<JobOutcome> outcome = Optional.empty();

    @Override
    public List<JobOrder> orders() {
        return orders;
    }

    @Override
    public JobOrder submit(JobOrder order) {
        return order;
    }

    @Override
    public boolean update(JobOrder seen, JobOrder next) {
        return true;
    }

    @Override
    public boolean remove(JobId id) {
        reports.clear();
        return true;
    }

    @Override
    public boolean removeUnchanged(JobOrder seen) {
        return remove(seen.id());
    }

    @Override
    public Optional<JobPlan> plan(JobId id) throws JobException {
        return plan;
    }

    @Override
    public void recordPlan(JobId id, JobPlan made) throws JobException {
        plan = plan.or(() -> Optional.of(made));
    }

    @Override
    public Optional<MergePlan> mergePlan(JobId id) throws JobException {
        return mergePlan;
    }

    @Override
    public void recordMergePlan(JobId id, MergePlan made) {
        mergePlan = mergePlan.or(() -> Optional.of(made));
    }

    @Override
    public void enlist(WorkerSession self) {}

    @Override
    public List<WorkerSession> workers() {
        return workers;
    }

    @Override
    public boolean lead(JobId id, long session) {
        return !hasLeader;
    }

    @Override
    public void resign(JobId id, long session) {
        resigned.add(id);
    }

    @Override
    public Map<Long, TaskList> allTasks(JobId id) {
        return Map.copyOf(lists);
    }

    @Override
    public void assign(JobId id, long session, TaskList tasks) {
        lists.put(session, tasks);
    }

    @Override
    public TaskList tasks(JobId id, long session) throws BoardException {
        return lists.getOrDefault(session, TaskList.EMPTY);
    }

    @Override
    public void report(JobId id, WorkerReport report) throws BoardException {
        if (refusesReports) {
            throw new BoardException("the board is away", null);
        }
        reports.add(report);
    }

    @Override
    public List<WorkerReport> reports(JobId id, Map<Long, Long> known) {
        long count = known.values().stream().mapToLong(Long::longValue).sum();
        return List.copyOf(reports.subList((int) count, reports.size()));
    }

    @Override
    public Optional<JobOutcome> outcome(JobId id) {
        return outcome;
    }

    @Override
    public void end(JobId id, JobOutcome end) {
        outcome = Optional.of(end);
    }
}
