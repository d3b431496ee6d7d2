package io.chimera.dataset.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.plan.Strategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Lists of work per worker. */
final class HandOutTest {
    private static final JobId JOB = new JobId("j", 7);
    private static final WorkerSession A = worker(1, 1);
    private static final WorkerSession B = worker(2, 2);

    private final ManualClock clock = new ManualClock();
    private final Lists board = new Lists();
    private final HandOut handOut = new HandOut(board, JOB, clock);
    private final Map<String, Integer> failureCounts = new HashMap<>();

    private static WorkerSession worker(long session, int threads) {
        return new WorkerSession(session, session + 100, "n" + session, "h:1", threads);
    }

    /** Lists in memory; a write may fail with or without effect. */
    private static final class Lists implements TaskBoard {
        private final Map<Long, TaskList> lists = new HashMap<>();
        private boolean failsBefore;
        private boolean failsAfter;

        @Override
        public Map<Long, TaskList> allTasks(JobId id) {
            return Map.copyOf(lists);
        }

        @Override
        public void assign(JobId id, long session, TaskList tasks) throws BoardException {
            if (failsBefore) {
                throw new BoardException("lost", null);
            }
            lists.put(session, tasks);
            if (failsAfter) {
                throw new BoardException("lost", null);
            }
        }

        List<TaskId> of(WorkerSession worker) {
            return lists.getOrDefault(worker.session(), TaskList.EMPTY).tasks();
        }
    }

    private static List<TaskId> splits(int count) {
        List<TaskId> splits = new ArrayList<>();
        for (int split = 0; split < count; split++) {
            splits.add(TaskId.split(split));
        }
        return splits;
    }

    private void update(List<TaskId> missing, WorkerSession... workers) throws BoardException {
        handOut.update(
                missing,
                List.of(workers),
                (worker, task) -> failureCounts.getOrDefault(worker.session() + " " + task.number(), 0));
    }

    @Test
    void spreadsWorkByThreadsAndKeepsListsShort() throws BoardException {
        update(splits(100), A, B);

        assertThat(board.of(A)).hasSize(HandOut.AHEAD_PER_THREAD);
        assertThat(board.of(B)).hasSize(2 * HandOut.AHEAD_PER_THREAD);
        assertThat(new TreeSet<>(board.of(A))).doesNotContainAnyElementsOf(board.of(B));
    }

    @Test
    void aNewStrategyIsOnAllLists() throws BoardException {
        update(splits(100), A, B);
        handOut.strategy(Strategy.OVERLAP);

        update(splits(100), A, B);

        assertThat(board.allTasks(JOB).values()).extracting(TaskList::strategy).containsOnly(Strategy.OVERLAP);
        update(List.of(), A, B);
        assertThat(board.allTasks(JOB).values()).containsOnly(TaskList.EMPTY);
    }

    /** Even splits belong to A with one thread, odd ones to B with two threads. */
    @Test
    void workGoesToItsPreferredWorker() throws BoardException {
        handOut.prefer((task, workers) -> workers.get(task.number() % workers.size()));

        update(splits(100), A, B);

        assertThat(board.of(A)).containsExactly(TaskId.split(0), TaskId.split(2), TaskId.split(4));
        assertThat(board.of(B))
                .containsExactly(
                        TaskId.split(1),
                        TaskId.split(3),
                        TaskId.split(5),
                        TaskId.split(7),
                        TaskId.split(9),
                        TaskId.split(11));
    }

    @Test
    void anIdleWorkerGetsWorkThatPrefersAnotherWorker() throws BoardException {
        handOut.prefer((task, workers) -> A);

        update(splits(100), A, B);

        assertThat(board.of(A)).containsExactlyElementsOf(splits(3));
        assertThat(board.of(B)).containsExactly(TaskId.split(3), TaskId.split(4));
    }

    @Test
    void workThatFailedAtItsPreferredWorkerGoesToAnotherWorker() throws BoardException {
        handOut.prefer((task, workers) -> A);
        failureCounts.put("1 0", 1);

        update(splits(1), A, B);

        assertThat(board.of(A)).isEmpty();
        assertThat(board.of(B)).containsExactly(TaskId.split(0));
    }

    @Test
    void finishedWorkMakesRoom() throws BoardException {
        update(splits(100), A);
        List<TaskId> missing = splits(100).subList(2, 100);

        update(missing, A);

        assertThat(board.of(A)).containsExactly(TaskId.split(2), TaskId.split(3), TaskId.split(4));
    }

    @Test
    void theWorkOfAWorkerThatHasGoneIsHandedOutAgain() throws BoardException {
        update(splits(3), A, B);

        update(splits(3), B);

        assertThat(board.of(A)).isEmpty();
        assertThat(board.of(B)).containsExactlyInAnyOrderElementsOf(splits(3));
    }

    @Test
    void workThatFailedGoesToAnotherWorker() throws BoardException {
        update(splits(1), A);
        failureCounts.put("1 0", 1);

        update(splits(1), A, B);

        assertThat(board.of(A)).isEmpty();
        assertThat(board.of(B)).containsExactly(TaskId.split(0));
    }

    @Test
    void workThatFailedWaitsForAWorkerWithoutFailures() throws BoardException {
        update(splits(3), B);
        failureCounts.put("1 4", 1);
        List<TaskId> missing = List.of(TaskId.split(0), TaskId.split(1), TaskId.split(2), TaskId.split(4));
        WorkerSession busy = worker(2, 1);

        update(missing, A, busy);

        assertThat(board.of(A)).as("has room").doesNotContain(TaskId.split(4));
        assertThat(board.of(busy)).as("is full").containsExactlyElementsOf(splits(3));

        update(missing.subList(1, 4), A, busy);

        assertThat(board.of(busy)).contains(TaskId.split(4));
    }

    @Test
    void ofWorkersWithEqualFailuresTheHealthiestIsNext() throws BoardException {
        WorkerSession other = worker(3, 1);
        failureCounts.put("1 0", 1);
        handOut.update(splits(1), List.of(A, B, other), new Failures(B.session()));

        assertThat(board.of(other)).containsExactly(TaskId.split(0));
    }

    @Test
    void anIdleWorkerDoesNotRepeatWorkThatWouldFailAgain() throws BoardException {
        handOut.update(splits(1), List.of(A), new Failures(0));
        clock.advance(Duration.ofSeconds(16));

        handOut.update(splits(1), List.of(A, B), new Failures(B.session()));

        assertThat(board.of(B)).isEmpty();
    }

    /** Failures of a worker that can read nothing. */
    private final class Failures implements HandOut.TaskFailureCounts {
        private final long blind;

        Failures(long blind) {
            this.blind = blind;
        }

        @Override
        public int at(WorkerSession worker, TaskId task) {
            return failureCounts.getOrDefault(worker.session() + " " + task.number(), 0);
        }

        @Override
        public int of(WorkerSession worker) {
            return worker.session() == blind ? 100 : 0;
        }

        @Override
        public boolean isHopeless(WorkerSession worker, TaskId task) {
            return worker.session() == blind;
        }
    }

    @Test
    void workThatFailedStaysWithTheOnlyWorker() throws BoardException {
        failureCounts.put("1 0", 2);

        update(splits(1), A);

        assertThat(board.of(A)).containsExactly(TaskId.split(0));
    }

    @Test
    void anIdleWorkerRepeatsSlowWorkOnce() throws BoardException {
        WorkerSession idle = worker(3, 1);
        update(splits(2), A);
        clock.advance(Duration.ofSeconds(16));

        update(splits(2), A, B, idle);
        update(splits(2), A, B, idle);

        assertThat(board.of(A)).containsExactlyElementsOf(splits(2));
        assertThat(List.of(board.of(B), board.of(idle)))
                .containsExactlyInAnyOrder(List.of(TaskId.split(0)), List.of(TaskId.split(1)));
    }

    @Test
    void aListOfUnknownStateIsWrittenAgain() throws BoardException {
        board.failsBefore = true;
        assertThatThrownBy(() -> update(splits(1), A)).isInstanceOf(BoardException.class);
        board.failsBefore = false;

        update(splits(1), A);

        assertThat(board.of(A)).containsExactly(TaskId.split(0));
    }

    @Test
    void aRemovedListOfUnknownStateIsRemovedAgain() throws BoardException {
        update(splits(1), A);
        board.failsBefore = true;
        assertThatThrownBy(() -> update(List.of(), A)).isInstanceOf(BoardException.class);
        board.failsBefore = false;

        update(List.of(), A);

        assertThat(board.of(A)).isEmpty();
    }

    @Test
    void aNewLeaderContinuesWithTheLists() throws BoardException {
        update(splits(2), A);
        HandOut next = new HandOut(board, JOB, clock);
        next.begin();
        board.failsAfter = true; // a write would be noticed

        next.update(splits(2), List.of(A), (worker, task) -> 0);

        assertThat(board.of(A)).containsExactlyElementsOf(splits(2));
    }
}
