package io.chimera.dataset.cluster;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.plan.Strategy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Hands out the work of a job: keeps a short list for each worker on the board. Work is spread evenly; the work of a
 * worker that has gone is handed out again, as is work that failed, if possible to another worker; at the end, work
 * that takes long is given to an idle worker as well. One thread.
 */
final class HandOut {
    /** Length of a list per thread of the worker: the next piece of work is known before the present one ends. */
    static final int AHEAD_PER_THREAD = 3;

    /** Age of an assignment after which an idle worker gets the same work. */
    private static final Duration SLOW = Duration.ofSeconds(15);

    private final TaskBoard board;
    private final JobId job;
    private final Clock clock;

    /** Lists as on the board. */
    private final Map<Long, TaskList> lists = new TreeMap<>();

    /** Sessions whose list may be another one than the leader's, after a failed write. */
    private final Set<Long> uncertain = new HashSet<>();

    private final Map<Assigned, Long> sinceNs = new HashMap<>();
    private Strategy strategy = Strategy.STREAM;
    private Optional<PreferredWorkers> preferred = Optional.empty();

    private record Assigned(long session, TaskId task) {}

    HandOut(TaskBoard board, JobId job, Clock clock) {
        this.board = board;
        this.job = job;
        this.clock = clock;
    }

    /** Continues with the lists of the leader before. */
    void begin() throws BoardException {
        lists.putAll(board.allTasks(job));
    }

    /** Workers that had, or will have, the copies of some work. */
    @FunctionalInterface
    interface PreferredWorkers {
        /** Returns the worker among the live ones; the same one as long as the workers are the same. */
        WorkerSession of(TaskId task, List<WorkerSession> workers);
    }

    /**
     * Prefers a worker for each piece of work from the next update on. Another worker gets the work only while one of
     * its threads would be idle otherwise.
     */
    void prefer(PreferredWorkers workers) {
        preferred = Optional.of(workers);
    }

    /** Sets the strategy of all lists from the next update on. */
    void strategy(Strategy next) {
        strategy = next;
    }

    /**
     * Brings the lists up to date.
     *
     * @param missing work without a result
     * @param workers live workers
     * @param failures failures of the work at the workers
     * @throws BoardException when a list cannot be written; the next update continues
     */
    void update(Collection<TaskId> missing, List<WorkerSession> workers, TaskFailureCounts failures)
            throws BoardException {
        Map<Long, List<TaskId>> next = kept(missing, workers, failures);
        Set<TaskId> handedOut = new HashSet<>();
        next.values().forEach(handedOut::addAll);
        preferred.ifPresent(chosen -> assignPreferred(chosen, missing, workers, failures, next, handedOut));
        int perThread = preferred.isPresent() ? 1 : AHEAD_PER_THREAD;
        boolean hasRoom = true;
        for (TaskId task : missing) {
            if (hasRoom && !handedOut.contains(task)) {
                List<WorkerSession> free = workers.stream()
                        .filter(worker -> next.get(worker.session()).size() < worker.threads() * perThread)
                        .toList();
                chosen(task, workers, free, next, failures)
                        .ifPresent(worker -> next.get(worker.session()).add(task));
                hasRoom = !free.isEmpty();
            }
        }
        noteAges(next);
        if (hasRoom) {
            repeatSlow(workers, next, failures);
        }
        write(next);
    }

    /**
     * Returns the worker for a piece of work. Work that failed somewhere waits for the worker with the fewest failures:
     * a worker that can read nothing fails fast, and so has room before the others.
     */
    private static Optional<WorkerSession> chosen(
            TaskId task,
            List<WorkerSession> workers,
            List<WorkerSession> free,
            Map<Long, List<TaskId>> lists,
            TaskFailureCounts failures) {
        boolean hasFailed = workers.stream().anyMatch(worker -> failures.at(worker, task) > 0);
        Comparator<WorkerSession> byLoad =
                Comparator.comparingDouble(worker -> lists.get(worker.session()).size() / (double) worker.threads());
        if (!hasFailed) {
            return free.stream().min(byLoad);
        }
        return workers.stream()
                .min(Comparator.<WorkerSession>comparingInt(worker -> failures.at(worker, task))
                        .thenComparingInt(failures::of)
                        .thenComparing(byLoad))
                .filter(free::contains);
    }

    /** Fills the lists with work that has not failed at its preferred worker. */
    private static void assignPreferred(
            PreferredWorkers preferred,
            Collection<TaskId> missing,
            List<WorkerSession> workers,
            TaskFailureCounts failures,
            Map<Long, List<TaskId>> next,
            Set<TaskId> handedOut) {
        long room = workers.stream()
                .mapToLong(worker -> (long) worker.threads() * AHEAD_PER_THREAD
                        - next.get(worker.session()).size())
                .sum();
        Iterator<TaskId> left = missing.iterator();
        while (room > 0 && left.hasNext()) {
            TaskId task = left.next();
            if (!handedOut.contains(task)) {
                WorkerSession worker = preferred.of(task, workers);
                List<TaskId> list = next.get(worker.session());
                if (list.size() < worker.threads() * AHEAD_PER_THREAD && failures.at(worker, task) == 0) {
                    list.add(task);
                    handedOut.add(task);
                    room--;
                }
            }
        }
    }

    /** Counts of failures of work at workers. */
    @FunctionalInterface
    interface TaskFailureCounts {
        /** Returns how often a piece of work failed at a worker, or its result there was lost. */
        int at(WorkerSession worker, TaskId task);

        /** Returns how many pieces of work failed at a worker. */
        default int of(WorkerSession worker) {
            return 0;
        }

        /** Returns whether a piece of work would fail again at a worker. */
        default boolean isHopeless(WorkerSession worker, TaskId task) {
            return false;
        }
    }

    /** Returns the work that stays on the lists: it is missing, and has not failed here more often than elsewhere. */
    private Map<Long, List<TaskId>> kept(
            Collection<TaskId> missing, List<WorkerSession> workers, TaskFailureCounts failures) {
        Set<TaskId> wanted = new HashSet<>(missing);
        Map<Long, List<TaskId>> next = new TreeMap<>();
        for (WorkerSession worker : workers) {
            List<TaskId> tasks = new ArrayList<>();
            for (TaskId task :
                    lists.getOrDefault(worker.session(), TaskList.EMPTY).tasks()) {
                if (wanted.contains(task) && isAsGoodAsOthers(worker, task, workers, failures)) {
                    tasks.add(task);
                }
            }
            next.put(worker.session(), tasks);
        }
        return next;
    }

    private static boolean isAsGoodAsOthers(
            WorkerSession worker, TaskId task, List<WorkerSession> workers, TaskFailureCounts failures) {
        int here = failures.at(worker, task);
        return here == 0 || workers.stream().allMatch(other -> failures.at(other, task) >= here);
    }

    private void noteAges(Map<Long, List<TaskId>> next) {
        Set<Assigned> now = new HashSet<>();
        next.forEach((session, tasks) -> tasks.forEach(task -> now.add(new Assigned(session, task))));
        sinceNs.keySet().retainAll(now);
        long nowNs = clock.nanoTime();
        now.forEach(assigned -> sinceNs.putIfAbsent(assigned, nowNs));
    }

    private void repeatSlow(List<WorkerSession> workers, Map<Long, List<TaskId>> next, TaskFailureCounts failures) {
        Map<TaskId, Integer> copies = new HashMap<>();
        next.values().forEach(tasks -> tasks.forEach(task -> copies.merge(task, 1, Integer::sum)));
        long nowNs = clock.nanoTime();
        Deque<TaskId> slow = new ArrayDeque<>();
        next.forEach((session, tasks) -> tasks.stream()
                .filter(task -> copies.getOrDefault(task, 0) == 1)
                .filter(task -> nowNs - sinceNs.getOrDefault(new Assigned(session, task), nowNs) > SLOW.toNanos())
                .forEach(slow::add));
        for (WorkerSession worker : workers) {
            List<TaskId> tasks = next.get(worker.session());
            if (tasks.isEmpty()) {
                Optional<TaskId> other = slow.stream()
                        .filter(task -> !failures.isHopeless(worker, task))
                        .findFirst();
                other.ifPresent(tasks::add);
                other.ifPresent(slow::remove);
            }
        }
    }

    private void write(Map<Long, List<TaskId>> next) throws BoardException {
        Set<Long> sessions = new HashSet<>(lists.keySet());
        sessions.addAll(next.keySet());
        for (long session : sessions) {
            TaskList list = new TaskList(next.getOrDefault(session, List.of()), strategy);
            if (uncertain.contains(session) || !list.equals(lists.getOrDefault(session, TaskList.EMPTY))) {
                uncertain.add(session);
                lists.put(session, list);
                board.assign(job, session, list);
                uncertain.remove(session);
            }
        }
        lists.keySet().removeIf(session -> !next.containsKey(session) && !uncertain.contains(session));
    }
}
