package io.chimera.dataset.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.dataset.plan.StrategyRules;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker with one thread and a list of three splits. */
final class JobWorkerTest {
    private static final WorkerSession SELF = new WorkerSession(1, 101, "a", "h:1", 1);

    @TempDir
    Path folder;

    @Test
    void aThreadThatBecameFreeGetsWorkInTheSameStep() throws Exception {
        try (ClusterRig rig = new ClusterRig();
                WorkerFolder results = WorkerFolder.open(folder, () -> 101);
                JobWorker worker = new JobWorker(rig.worker(SELF, results))) {
            rig.board.orders = List.of(ClusterRig.order());
            rig.board.workers = List.of(SELF);
            rig.board.plan = Optional.of(ClusterRig.plan(3));
            rig.board.lists.put(
                    1L,
                    new TaskList(IntStream.range(0, 3).mapToObj(TaskId::split).toList()));
            worker.step();
            assertThat(worker.busy()).isEqualTo(1);

            worker.step();

            assertThat(rig.board.reports).as("the first split has ended").hasSize(1);
            assertThat(worker.busy()).as("the second split runs").isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aJobThatCannotBeOpenedFails(boolean isLeader) throws Exception {
        JobPrograms defect = order -> {
            throw new IllegalStateException("defect of the factory");
        };
        try (ClusterRig rig = new ClusterRig();
                WorkerFolder results = WorkerFolder.open(folder, () -> 101);
                JobWorker worker = new JobWorker(rig.worker(SELF, results, defect))) {
            rig.board.hasLeader = !isLeader;
            rig.board.orders = List.of(ClusterRig.order());
            rig.board.workers = List.of(SELF);
            rig.board.plan = Optional.of(ClusterRig.plan(1));
            rig.board.lists.put(1L, new TaskList(List.of(TaskId.split(0))));
            worker.step();
            worker.step();

            if (isLeader) {
                assertThat(rig.board.outcome).get().satisfies(end -> {
                    assertThat(end.kind()).isEqualTo(JobOutcome.Kind.FAILED);
                    assertThat(end.reason()).contains("defect of the factory");
                });
            } else {
                assertThat(rig.board.reports)
                        .flatExtracting(WorkerReport::failures)
                        .allSatisfy(failure -> {
                            assertThat(failure.isFinal()).isTrue();
                            assertThat(failure.reason()).contains("defect of the factory");
                        })
                        .isNotEmpty();
            }
        }
    }

    /** The session with the board may outlive the worker's thread by far, and nobody else could lead. */
    @Test
    void aWorkerThatEndsByAnErrorLeadsNoJob() throws Exception {
        JobId second = new JobId("k", 2);
        OneJobBoard board = new OneJobBoard() {
            @Override
            public Optional<JobOutcome> outcome(JobId id) {
                if (id.equals(second)) {
                    throw new OutOfMemoryError("heap");
                }
                return super.outcome(id);
            }

            @Override
            public void resign(JobId id, long session) {
                super.resign(id, session);
                if (id.equals(ClusterRig.JOB)) {
                    throw new IllegalStateException("defect of the board");
                }
            }
        };
        board.hasLeader = false;
        board.orders = List.of(ClusterRig.order(), new JobOrder(second, "", JobWish.RUN, 1));
        board.workers = List.of(SELF);
        try (ClusterRig rig = new ClusterRig(board);
                WorkerFolder results = WorkerFolder.open(folder, () -> 101)) {
            JobWorker worker = new JobWorker(rig.worker(SELF, results));
            assertThatThrownBy(worker::step).isInstanceOf(OutOfMemoryError.class);
            assertThatThrownBy(worker::close).hasMessageContaining("defect of the board");
        }

        assertThat(board.resigned).containsExactlyInAnyOrder(ClusterRig.JOB, second);
    }

    /** The memory of a job has changed: the program with the old value is closed first. */
    @Test
    void aJobWithAnotherDefinitionIsOpenedAgain() throws Exception {
        List<String> opened = new ArrayList<>();
        List<String> closed = new ArrayList<>();
        try (ClusterRig rig = new ClusterRig();
                WorkerFolder results = WorkerFolder.open(folder, () -> 101);
                JobWorker worker = new JobWorker(rig.worker(SELF, results, order -> {
                    opened.add(order.definition());
                    return new JobPrograms.OpenedProgram(
                            rig.program(StrategyRules.STREAM), List.of(() -> closed.add(order.definition())));
                }))) {
            rig.board.workers = List.of(SELF);
            rig.board.plan = Optional.of(ClusterRig.plan(1));
            rig.board.lists.put(1L, new TaskList(List.of(TaskId.split(0))));
            rig.board.orders = List.of(new JobOrder(ClusterRig.JOB, "before", JobWish.RUN, 1));
            worker.step();
            rig.board.orders = List.of(new JobOrder(ClusterRig.JOB, "after", JobWish.RUN, 2));
            for (int i = 0; i < 3; i++) {
                rig.clock.advance(Duration.ofMinutes(1)); // the report of the failed split is old
                worker.step();
            }

            assertThat(opened).containsExactly("before", "after");
            assertThat(closed).containsExactly("before");
        }
    }

    /** Fails each look at the first job in a way that no caller expects. */
    private static final class BoardWithDefect extends OneJobBoard {
        private final List<JobId> asked = new ArrayList<>();
        private final List<JobId> ended = new ArrayList<>();

        @Override
        public Optional<JobOutcome> outcome(JobId id) {
            asked.add(id);
            if (id.equals(ClusterRig.JOB)) {
                throw new IllegalStateException("defect of the board");
            }
            return super.outcome(id);
        }

        @Override
        public void end(JobId id, JobOutcome end) {
            assertThat(end.reason()).contains("defect of the board");
            ended.add(id);
        }
    }

    @Test
    void aDefectOfAJobEndsThisJobAlone() throws Exception {
        JobId second = new JobId("k", 2);
        BoardWithDefect board = new BoardWithDefect();
        stepWithTwoJobs(board, second);

        assertThat(board.ended).containsExactly(ClusterRig.JOB);
        assertThat(board.asked).contains(second);
    }

    /** Damaged records of one job. */
    private static final class DamagedBoard extends OneJobBoard {
        private final List<JobId> asked = new ArrayList<>();

        @Override
        public TaskList tasks(JobId id, long session) throws BoardException {
            asked.add(id);
            if (id.equals(ClusterRig.JOB)) {
                throw new BoardException("damaged", null);
            }
            return super.tasks(id, session);
        }
    }

    @Test
    void damagedRecordsOfAJobLeaveOtherJobsAlone() throws Exception {
        JobId second = new JobId("k", 2);
        DamagedBoard board = new DamagedBoard();
        stepWithTwoJobs(board, second);

        assertThat(board.asked).containsExactly(ClusterRig.JOB, second);
    }

    /** Lets a worker look once at two jobs. */
    private void stepWithTwoJobs(OneJobBoard board, JobId second) throws Exception {
        board.orders = List.of(ClusterRig.order(), new JobOrder(second, "", JobWish.RUN, 1));
        board.workers = List.of(SELF);
        try (ClusterRig rig = new ClusterRig(board);
                WorkerFolder results = WorkerFolder.open(folder, () -> 101);
                JobWorker worker = new JobWorker(rig.worker(SELF, results))) {
            worker.step();
        }
    }
}
