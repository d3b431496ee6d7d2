package io.chimera.dataset.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.dataset.cluster.WorkerReport.TaskFailure;
import io.chimera.dataset.job.JobPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports of a worker with more failures than a report holds. */
final class JobShareTest {
    private static final int SPLITS = 8 * WorkerReport.FAILURES_MAX;
    private static final WorkerSession SELF = new WorkerSession(1, 101, "a", "h:1", SPLITS);

    @TempDir
    Path folder;

    private final ClusterRig rig = new ClusterRig();
    private final LiveWorkers workers = new LiveWorkers(rig.clock);
    private WorkerFolder results;
    private JobShare share;

    @BeforeEach
    void open() throws Exception {
        workers.update(List.of(SELF));
        results = WorkerFolder.open(folder, () -> 101);
        share = new JobShare(rig.worker(SELF, results), ClusterRig.JOB);
        rig.board.plan = Optional.of(ClusterRig.plan(SPLITS));
        rig.board.lists.put(
                1L,
                new TaskList(IntStream.range(0, SPLITS).mapToObj(TaskId::split).toList()));
    }

    @AfterEach
    void close() throws Exception {
        share.close();
        results.close();
        rig.close();
    }

    private List<TaskFailure> failures() {
        return rig.board.reports.stream()
                .flatMap(report -> report.failures().stream())
                .toList();
    }

    private void steps(int count) throws BoardException {
        for (int i = 0; i < count; i++) {
            share.step(ClusterRig.order(), workers, () -> SPLITS);
            rig.clock.advance(Duration.ofSeconds(1));
            List<TaskId> left = new ArrayList<>(rig.board.lists.get(1L).tasks());
            failures().forEach(failure -> left.remove(failure.task())); // as the leader does
            rig.board.lists.put(1L, new TaskList(left));
        }
    }

    /** The definition may name less memory by now, but the splits need the memory of the plan. */
    @Test
    void aPlanWithMoreMemoryThanTheNodeGrantsIsNotComputed() throws BoardException {
        JobPlan plan = ClusterRig.plan(1);
        rig.board.plan = Optional.of(new JobPlan(plan.definition(), 2 * plan.memory(), plan.splits()));
        rig.board.lists.put(1L, new TaskList(List.of(TaskId.split(0))));
        steps(2);

        assertThat(failures()).hasSize(1);
        assertThat(failures().get(0).isFinal()).isTrue();
        assertThat(failures().get(0).reason()).contains("128MiB", "datasets.memory", "64MiB", "operator");
    }

    /** All splits fail at once, and the last failures are reported after eight seconds. */
    @Test
    void workDoesNotBeginAgainBeforeItsEndIsReported() throws BoardException {
        steps(20);

        assertThat(failures())
                .extracting(TaskFailure::task)
                .doesNotHaveDuplicates()
                .hasSize(SPLITS);
    }

    @Test
    void nothingIsReportedTwiceAfterTheBoardWasAway() throws BoardException {
        rig.board.refusesReports = true;
        share.step(ClusterRig.order(), workers, () -> SPLITS);
        for (int i = 0; i < 30; i++) {
            rig.clock.advance(Duration.ofSeconds(1));
            assertThatThrownBy(() -> share.step(ClusterRig.order(), workers, () -> SPLITS))
                    .isInstanceOf(BoardException.class);
        }
        rig.board.refusesReports = false;
        steps(20);

        assertThat(failures())
                .extracting(TaskFailure::task)
                .doesNotHaveDuplicates()
                .hasSize(SPLITS);
    }

    @Test
    void workThatStaysOnTheListIsDoneAgain() throws BoardException {
        TaskList one = new TaskList(List.of(TaskId.split(3)));
        for (int i = 0; i < 10; i++) {
            rig.board.lists.put(1L, one);
            share.step(ClusterRig.order(), workers, () -> SPLITS);
            rig.clock.advance(Duration.ofSeconds(1));
        }

        assertThat(failures()).hasSize(2);
    }

    private void oneStepOfOneThread() throws BoardException {
        rig.clock.advance(Duration.ofMillis(250));
        share.step(ClusterRig.order(), workers, () -> 1 - share.busy());
    }

    private void list(int from, int to) {
        rig.board.lists.put(
                1L,
                new TaskList(IntStream.range(from, to).mapToObj(TaskId::split).toList()));
    }

    /** The leader needs the reports to hand out more work. */
    @Test
    void aWorkerWithoutFurtherWorkReportsAtOnce() throws BoardException {
        list(0, 1);
        oneStepOfOneThread();
        oneStepOfOneThread();
        assertThat(rig.board.reports).hasSize(1);
        list(1, 3);
        oneStepOfOneThread();

        oneStepOfOneThread();

        assertThat(rig.board.reports).as("the last work of the list begins now").hasSize(2);
    }

    @Test
    void aWorkerWithFurtherWorkReportsOncePerSecond() throws BoardException {
        list(0, SPLITS);
        for (int i = 0; i < 2 + 8; i++) {
            oneStepOfOneThread();
        }

        assertThat(rig.board.reports).hasSize(3);
        assertThat(failures()).hasSize(9);
    }

    /** The operator repairs what failed, and runs the job again before the failure is reported. */
    @Test
    void aFailureCountsForTheAttemptInWhichTheWorkBegan() throws BoardException {
        rig.board.lists.put(1L, new TaskList(List.of(TaskId.split(3))));
        share.step(ClusterRig.order(), workers, () -> SPLITS);
        JobOrder second = new JobOrder(ClusterRig.JOB, "", JobWish.RUN, 2);
        for (int i = 0; i < 20; i++) {
            rig.board.lists.put(1L, new TaskList(List.of(TaskId.split(3), TaskId.split(4))));
            share.step(second, workers, () -> SPLITS);
            rig.clock.advance(Duration.ofSeconds(1));
        }
        JobLedger ledger = new JobLedger();
        ledger.add(rig.board.reports);

        assertThat(rig.board.reports.get(0).attempt()).isEqualTo(1);
        assertThat(ledger.failures(TaskId.split(3), 1)).hasSize(1);
        assertThat(ledger.failures(TaskId.split(4), 1)).isEmpty();
        assertThat(ledger.failures(TaskId.split(3), 2)).as("tried again").isNotEmpty();
        assertThat(ledger.failures(TaskId.split(4), 2)).isNotEmpty();
    }
}
