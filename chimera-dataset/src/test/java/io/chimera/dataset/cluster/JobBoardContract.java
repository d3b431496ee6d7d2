package io.chimera.dataset.cluster;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.dataset.cluster.WorkerReport.SplitDone;
import io.chimera.dataset.cluster.WorkerReport.TaskFailure;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.job.JobException;
import io.chimera.dataset.job.JobPlan;
import io.chimera.dataset.job.Split;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.ObjectVersion;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Contract of every {@link JobBoard}: records that several sessions share. */
public abstract class JobBoardContract {
    private static final JobId JOB = new JobId("job", 7);
    private static final WorkerSession WORKER = new WorkerSession(11, 101, "n1", "h:1", 2);

    /** Opens a further session with the same record. */
    protected abstract JobBoard open();

    /** Ends a session, and with it the records that depend on the session. */
    protected abstract void end(JobBoard session);

    private static JobOrder order(JobId id) {
        return new JobOrder(id, "text of " + id.name(), JobWish.RUN, 1);
    }

    private static JobPlan plan(String object) {
        DataObject all = new DataObject(object, 100, new ObjectVersion("tag", Checksum.NONE));
        return new JobPlan(
                "definition",
                64L << 20,
                List.of(new Split(0, all, new ByteRange(0, 40)), new Split(1, all, new ByteRange(40, 100))));
    }

    private static MergePlan mergePlan(long toNs) {
        return new MergePlan(
                List.of(new WindowSpan(-60, toNs)),
                List.of(new SkippedSpan(1, 2, "damaged")),
                new SplitTotals(2, 3, 4, 5));
    }

    private static WorkerReport report(long session, long number) {
        return new WorkerReport(
                new ReportId(session, number),
                1,
                101,
                List.of(new SplitDone((int) number, "d" + number, 40, 5, 1, new WindowSpan(0, 10))),
                List.of(),
                List.of(),
                List.of(new TaskFailure(TaskId.split(9), true, "damaged", "cut off")));
    }

    private static JobOutcome outcome(int attempt, JobOutcome.Kind kind, String reason) {
        return new JobOutcome(attempt, kind, reason, new JobTotals(2, 1, 1, 1, 1, 40, 5, 1, 1, 3, 0));
    }

    /** Waits for a record of another session. */
    private static void until(Callable<Boolean> condition) {
        await().until(condition);
    }

    private JobBoard withJob() throws BoardException {
        JobBoard board = open();
        board.submit(order(JOB));
        return board;
    }

    @Test
    void listsJobsByName() throws BoardException {
        JobBoard one = open();
        JobBoard other = open();
        JobId last = new JobId("z", 1);

        assertThat(one.orders()).isEmpty();
        assertThat(one.submit(order(last))).isEqualTo(order(last));
        assertThat(other.submit(order(JOB))).isEqualTo(order(JOB));

        until(() -> one.orders().equals(List.of(order(JOB), order(last))));
        until(() -> other.orders().equals(one.orders()));
    }

    @Test
    void keepsTheFirstOrderOfAName() throws BoardException {
        JobBoard board = withJob();
        JobOrder second = order(new JobId(JOB.name(), 8));

        assertThat(board.submit(second)).isEqualTo(order(JOB));
        assertThat(board.orders()).containsExactly(order(JOB));
        assertThat(board.update(second, second.again())).isFalse();
        JobOrder unknown = order(new JobId("unknown", 7));
        assertThat(board.update(unknown, unknown.again())).isFalse();
    }

    @Test
    void changesWishAndAttempt() throws BoardException {
        JobBoard board = withJob();
        JobBoard other = open();
        JobOrder stopped = order(JOB).with(JobWish.STOP);

        assertThat(board.update(order(JOB), stopped)).isTrue();
        until(() -> other.orders().equals(List.of(stopped)));
        assertThat(other.update(stopped, stopped.again())).isTrue();

        until(() -> board.orders().equals(List.of(stopped.again())));
    }

    /** One command has seen the job stopped, and another one continues the job meanwhile. */
    @Test
    void anOrderThatHasChangedIsNeitherReplacedNorRemoved() throws BoardException, JobException {
        JobBoard board = withJob();
        JobBoard other = open();
        JobOrder stopped = order(JOB).with(JobWish.STOP);
        assertThat(board.update(order(JOB), stopped)).isTrue();
        until(() -> other.orders().equals(List.of(stopped)));
        board.recordPlan(JOB, plan("a"));

        JobOrder continued = stopped.with(JobWish.RUN);
        assertThat(other.update(stopped, continued)).isTrue();
        assertThat(board.update(stopped, stopped.again())).isFalse();
        assertThat(board.removeUnchanged(stopped)).isFalse();

        until(() -> board.orders().equals(List.of(continued)));
        assertThat(other.orders()).containsExactly(continued);
        assertThat(board.plan(JOB)).contains(plan("a"));
        assertThat(board.removeUnchanged(continued)).isTrue();
        assertThat(board.removeUnchanged(continued)).isFalse();
        assertThat(board.orders()).isEmpty();
        assertThat(board.submit(order(JOB))).isEqualTo(order(JOB));
        assertThat(board.plan(JOB)).isEmpty();
    }

    @Test
    void keepsTheFirstPlans() throws BoardException, JobException {
        JobBoard board = withJob();
        JobBoard other = open();
        assertThat(board.plan(JOB)).isEmpty();
        assertThat(board.mergePlan(JOB)).isEmpty();

        board.recordPlan(JOB, plan("a"));
        board.recordMergePlan(JOB, mergePlan(60));
        until(() -> other.plan(JOB).isPresent() && other.mergePlan(JOB).isPresent());
        other.recordPlan(JOB, plan("b"));
        other.recordMergePlan(JOB, mergePlan(120));
        board.recordPlan(JOB, plan("a"));

        for (JobBoard each : List.of(board, other)) {
            assertThat(each.plan(JOB)).contains(plan("a"));
            assertThat(each.mergePlan(JOB)).contains(mergePlan(60));
        }
    }

    @Test
    void workersAreListedUntilTheEndOfTheirSession() throws BoardException {
        JobBoard watching = withJob();
        JobBoard first = open();
        JobBoard second = open();
        WorkerSession other = new WorkerSession(-5, 102, "n2", "h:2", 1);

        first.enlist(WORKER);
        second.enlist(other);
        second.enlist(other);
        until(() -> watching.workers().equals(List.of(other, WORKER)));
        end(second);
        first.enlist(WORKER.leaving());

        until(() -> watching.workers().equals(List.of(WORKER.leaving())));
    }

    @Test
    void hasOneLeaderUntilTheEndOfItsSession() throws BoardException {
        JobBoard first = withJob();
        JobBoard second = open();

        assertThat(first.lead(JOB, 1)).isTrue();
        until(() -> !second.lead(JOB, 2));
        assertThat(first.lead(JOB, 1)).isTrue();
        end(first);

        until(() -> second.lead(JOB, 2));
    }

    @Test
    void hasAnotherLeaderAfterTheFirstOneResigned() throws BoardException {
        JobBoard first = withJob();
        JobBoard second = open();
        assertThat(first.lead(JOB, 1)).isTrue();

        second.resign(JOB, 2);
        until(() -> !second.lead(JOB, 2));
        first.resign(JOB, 1);

        until(() -> second.lead(JOB, 2));
        until(() -> !first.lead(JOB, 1));
    }

    @Test
    void replacesListsOfWork() throws BoardException {
        JobBoard leader = withJob();
        JobBoard worker = open();
        TaskList one = new TaskList(List.of(TaskId.split(3), TaskId.range(0)));
        assertThat(worker.tasks(JOB, 11)).isEqualTo(TaskList.EMPTY);

        leader.assign(JOB, 11, new TaskList(List.of(TaskId.split(1))));
        leader.assign(JOB, 11, one);
        leader.assign(JOB, -12, one);

        until(() -> worker.tasks(JOB, 11).equals(one));
        until(() -> worker.allTasks(JOB).equals(Map.of(11L, one, -12L, one)));
        leader.assign(JOB, 11, TaskList.EMPTY);
        until(() -> worker.tasks(JOB, 11).equals(TaskList.EMPTY));
        until(() -> worker.allTasks(JOB).equals(Map.of(-12L, one)));
    }

    @Test
    void keepsEachReportOnce() throws BoardException {
        JobBoard worker = withJob();
        JobBoard leader = open();

        worker.report(JOB, report(11, 1));
        worker.report(JOB, report(11, 1));
        worker.report(JOB, report(11, 2));
        worker.report(JOB, report(12, 1));

        until(() -> leader.reports(JOB, Map.of()).size() == 3);
        assertThat(leader.reports(JOB, Map.of()))
                .containsExactlyInAnyOrder(report(11, 1), report(11, 2), report(12, 1));
        assertThat(leader.reports(JOB, Map.of(11L, 1L))).containsExactlyInAnyOrder(report(11, 2), report(12, 1));
        assertThat(leader.reports(JOB, Map.of(11L, 2L, 12L, 1L))).isEmpty();
    }

    @Test
    void reportsStayAfterTheEndOfTheSession() throws BoardException {
        JobBoard worker = withJob();
        JobBoard leader = open();
        worker.report(JOB, report(11, 1));
        end(worker);

        until(() -> leader.reports(JOB, Map.of()).equals(List.of(report(11, 1))));
        assertThat(leader.orders()).containsExactly(order(JOB));
    }

    @Test
    void keepsTheFirstEndOfTheNewestAttempt() throws BoardException {
        JobBoard board = withJob();
        JobBoard other = open();
        JobOutcome failed = outcome(1, JobOutcome.Kind.FAILED, "first");
        JobOutcome done = outcome(2, JobOutcome.Kind.DONE, "");
        assertThat(board.outcome(JOB)).isEmpty();

        board.end(JOB, failed);
        board.end(JOB, outcome(1, JobOutcome.Kind.DONE, ""));
        until(() -> other.outcome(JOB).equals(Optional.of(failed)));
        other.end(JOB, done);
        other.end(JOB, outcome(1, JobOutcome.Kind.FAILED, "late"));

        until(() -> board.outcome(JOB).equals(Optional.of(done)));
    }

    @Test
    void aJobWithTheNameOfARemovedOneBeginsWithoutRecords() throws BoardException, JobException {
        JobBoard board = withJob();
        board.recordPlan(JOB, plan("a"));
        board.recordMergePlan(JOB, mergePlan(60));
        board.assign(JOB, 11, new TaskList(List.of(TaskId.split(1))));
        board.report(JOB, report(11, 1));
        board.end(JOB, outcome(1, JobOutcome.Kind.DONE, ""));

        board.remove(JOB);
        assertThat(board.orders()).isEmpty();
        assertThat(board.update(order(JOB), order(JOB).again())).isFalse();
        JobId next = new JobId(JOB.name(), 8);
        assertThat(board.submit(order(next))).isEqualTo(order(next));
        board.remove(JOB);

        assertThat(board.orders()).containsExactly(order(next));
        assertThat(board.plan(next)).isEmpty();
        assertThat(board.mergePlan(next)).isEmpty();
        assertThat(board.allTasks(next)).isEmpty();
        assertThat(board.reports(next, Map.of())).isEmpty();
        assertThat(board.outcome(next)).isEmpty();
    }

    @Test
    void refusesRecordsOfARemovedJob() throws BoardException {
        JobBoard board = withJob();
        board.remove(JOB);
        board.remove(JOB);

        assertThatThrownBy(() -> board.recordPlan(JOB, plan("a"))).isInstanceOf(BoardException.class);
        assertThatThrownBy(() -> board.recordMergePlan(JOB, mergePlan(60))).isInstanceOf(BoardException.class);
        assertThatThrownBy(() -> board.assign(JOB, 11, new TaskList(List.of(TaskId.split(1)))))
                .isInstanceOf(BoardException.class);
        assertThatThrownBy(() -> board.report(JOB, report(11, 1))).isInstanceOf(BoardException.class);
        assertThatThrownBy(() -> board.end(JOB, outcome(1, JobOutcome.Kind.DONE, "")))
                .isInstanceOf(BoardException.class);
    }
}
