package io.chimera.faults.sim.job;

import io.chimera.dataset.cluster.BoardException;
import io.chimera.dataset.cluster.JobBoard;
import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.JobOrder;
import io.chimera.dataset.cluster.JobOutcome;
import io.chimera.dataset.cluster.MergePlan;
import io.chimera.dataset.cluster.TaskList;
import io.chimera.dataset.cluster.WorkerReport;
import io.chimera.dataset.cluster.WorkerSession;
import io.chimera.dataset.job.JobPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A session with a record of jobs in memory. Sessions of one {@link Shared} see the same records. A session can end
 * like one of ZooKeeper, and its calls can fail, before or after their effect. One thread.
 */
public final class MemoryJobBoard implements JobBoard {
    private final Shared shared;
    private final Faults faults;

    /** Decides which calls fail. */
    public interface Faults {
        /** No call fails. */
        Faults NONE = new Faults() {
            @Override
            public boolean isLost() {
                return false;
            }

            @Override
            public boolean isAnswerLost() {
                return false;
            }
        };

        /** Returns whether the next call fails without effect. */
        boolean isLost();

        /** Returns whether the next call fails after its effect. */
        boolean isAnswerLost();
    }

    /** Records of all sessions. */
    public static final class Shared {
        private final Map<String, Job> jobs = new TreeMap<>();
        private final Map<Long, Enlisted> workers = new TreeMap<>();

        /** Creates an empty record. */
        public Shared() {}
    }

    private record Enlisted(WorkerSession worker, MemoryJobBoard by) {}

    private record Leader(long session, MemoryJobBoard by) {}

    private static final class Job {
        private JobOrder order;
        private Optional<JobPlan> plan = Optional.empty();
        private Optional<MergePlan> merge = Optional.empty();
        private Optional<Leader> leader = Optional.empty();
        private Optional<JobOutcome> outcome = Optional.empty();
        private final Map<Long, TaskList> tasks = new HashMap<>();
        private final Map<Long, List<WorkerReport>> reports = new LinkedHashMap<>();

        Job(JobOrder order) {
            this.order = order;
        }
    }

    /** A call with its effect. */
    private interface Call<T> {
        T run() throws BoardException;
    }

    /** Opens a session. */
    public MemoryJobBoard(Shared shared, Faults faults) {
        this.shared = shared;
        this.faults = faults;
    }

    /** Ends the session, and with it the records that depend on it. The object then stands for a new session. */
    public void endSession() {
        shared.workers.values().removeIf(enlisted -> enlisted.by() == this);
        for (Job job : shared.jobs.values()) {
            job.leader = job.leader.filter(leader -> leader.by() != this);
        }
    }

    private <T> T call(Call<T> call) throws BoardException {
        if (faults.isLost()) {
            throw new BoardException("lost before the effect", null);
        }
        T answer = call.run();
        if (faults.isAnswerLost()) {
            throw new BoardException("lost after the effect", null);
        }
        return answer;
    }

    private Job job(JobId id) throws BoardException {
        Job job = shared.jobs.get(id.name());
        if (job == null || !job.order.id().equals(id)) {
            throw new BoardException("there is no job " + id, null);
        }
        return job;
    }

    @Override
    public List<JobOrder> orders() throws BoardException {
        return call(() -> shared.jobs.values().stream().map(job -> job.order).toList());
    }

    @Override
    public JobOrder submit(JobOrder order) throws BoardException {
        return call(() -> shared.jobs.computeIfAbsent(order.id().name(), name -> new Job(order)).order);
    }

    @Override
    public boolean update(JobOrder seen, JobOrder next) throws BoardException {
        return call(() -> {
            Job job = shared.jobs.get(seen.id().name());
            if (job == null || !job.order.equals(seen)) {
                return false;
            }
            job.order = next;
            return true;
        });
    }

    @Override
    public boolean remove(JobId id) throws BoardException {
        return call(() -> shared.jobs.values().removeIf(job -> job.order.id().equals(id)));
    }

    @Override
    public boolean removeUnchanged(JobOrder seen) throws BoardException {
        return call(() -> shared.jobs.values().removeIf(job -> job.order.equals(seen)));
    }

    @Override
    public Optional<JobPlan> plan(JobId id) throws BoardException {
        return call(() -> job(id).plan);
    }

    @Override
    public void recordPlan(JobId id, JobPlan plan) throws BoardException {
        call(() -> job(id).plan = job(id).plan.or(() -> Optional.of(plan)));
    }

    @Override
    public Optional<MergePlan> mergePlan(JobId id) throws BoardException {
        return call(() -> job(id).merge);
    }

    @Override
    public void recordMergePlan(JobId id, MergePlan plan) throws BoardException {
        call(() -> job(id).merge = job(id).merge.or(() -> Optional.of(plan)));
    }

    @Override
    public void enlist(WorkerSession self) throws BoardException {
        call(() -> shared.workers.put(self.session(), new Enlisted(self, this)));
    }

    @Override
    public List<WorkerSession> workers() throws BoardException {
        return call(() -> shared.workers.values().stream().map(Enlisted::worker).toList());
    }

    @Override
    public boolean lead(JobId id, long session) throws BoardException {
        return call(() -> {
            Job job = job(id);
            if (job.leader.isEmpty()) {
                job.leader = Optional.of(new Leader(session, this));
            }
            return job.leader.orElseThrow().session() == session;
        });
    }

    @Override
    public void resign(JobId id, long session) throws BoardException {
        call(() -> {
            Job job = job(id);
            if (job.leader.filter(leader -> leader.session() == session).isPresent()) {
                job.leader = Optional.empty();
            }
            return session;
        });
    }

    @Override
    public TaskList tasks(JobId id, long session) throws BoardException {
        return call(() -> job(id).tasks.getOrDefault(session, TaskList.EMPTY));
    }

    @Override
    public Map<Long, TaskList> allTasks(JobId id) throws BoardException {
        return call(() -> Map.copyOf(job(id).tasks));
    }

    @Override
    public void assign(JobId id, long session, TaskList tasks) throws BoardException {
        call(() -> tasks.tasks().isEmpty()
                ? job(id).tasks.remove(session)
                : job(id).tasks.put(session, tasks));
    }

    @Override
    public void report(JobId id, WorkerReport report) throws BoardException {
        call(() -> {
            List<WorkerReport> earlier =
                    job(id).reports.computeIfAbsent(report.id().session(), session -> new ArrayList<>());
            return earlier.size() < report.id().number() && earlier.add(report);
        });
    }

    @Override
    public List<WorkerReport> reports(JobId id, Map<Long, Long> known) throws BoardException {
        return call(() -> job(id).reports.entrySet().stream()
                .flatMap(session -> session.getValue().stream().skip(known.getOrDefault(session.getKey(), 0L)))
                .toList());
    }

    @Override
    public Optional<JobOutcome> outcome(JobId id) throws BoardException {
        return call(() -> job(id).outcome);
    }

    @Override
    public void end(JobId id, JobOutcome outcome) throws BoardException {
        call(() -> job(id).outcome = job(id).outcome
                .filter(earlier -> earlier.attempt() >= outcome.attempt())
                .or(() -> Optional.of(outcome)));
    }
}
