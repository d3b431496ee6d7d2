package io.chimera.node.dataset.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.DatasetCounter;
import io.chimera.coordinator.zookeeper.SharedFolder;
import io.chimera.dataset.cluster.BoardException;
import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.JobOrder;
import io.chimera.dataset.cluster.JobOutcome;
import io.chimera.dataset.cluster.JobTotals;
import io.chimera.dataset.cluster.JobWish;
import io.chimera.dataset.cluster.MergePlan;
import io.chimera.dataset.cluster.ReportId;
import io.chimera.dataset.cluster.SplitTotals;
import io.chimera.dataset.cluster.TaskId;
import io.chimera.dataset.cluster.TaskList;
import io.chimera.dataset.cluster.WindowSpan;
import io.chimera.dataset.cluster.WorkerReport;
import io.chimera.dataset.cluster.WorkerSession;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.job.JobException;
import io.chimera.dataset.job.JobPlan;
import io.chimera.dataset.job.Split;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.ObjectVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The record of jobs on a real ZooKeeper server: what the contract of boards does not say. */
@Tag("it")
final class ZooKeeperJobBoardIT {
    private static final JobId JOB = new JobId("j", 7);
    private static TestingServer server;

    private final TreeSessions sessions = new TreeSessions(server);
    private final Counters<DatasetCounter> counters = new Counters<>(DatasetCounter.class);

    @BeforeAll
    static void startServer() throws Exception {
        server = new TestingServer();
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.close();
    }

    @AfterEach
    void disconnect() {
        sessions.close();
    }

    private SharedFolder tree() {
        return sessions.open();
    }

    private ZooKeeperJobBoard board() {
        return new ZooKeeperJobBoard(tree(), counters);
    }

    private static JobOrder order(JobId id) {
        return new JobOrder(id, "text", JobWish.RUN, 1);
    }

    private static JobPlan plan(int splits) {
        List<Split> all = new ArrayList<>();
        Random random = new Random(1);
        for (int i = 0; i < splits; i++) {
            DataObject object = new DataObject(
                    "object-" + random.nextLong() + random.nextLong(),
                    100,
                    new ObjectVersion("tag" + random.nextLong(), Checksum.NONE));
            all.add(new Split(i, object, new ByteRange(0, 100)));
        }
        return new JobPlan("definition", 64L << 20, all);
    }

    private static WorkerReport report(long session, long number) {
        return new WorkerReport(
                new ReportId(session, number),
                1,
                3,
                List.of(new WorkerReport.SplitDone((int) number, "ab", 9, 5, 1, new WindowSpan(0, 10))),
                List.of(),
                List.of(),
                List.of());
    }

    @Test
    void keepsPlansOfManyParts() throws Exception {
        ZooKeeperJobBoard board = board();
        board.submit(order(JOB));
        JobPlan plan = plan(40_000);

        board.recordPlan(JOB, plan);
        board.recordPlan(JOB, plan(1));

        assertThat(board().plan(JOB)).contains(plan);
        assertThat(board.plan(JOB)).contains(plan);
    }

    @Test
    void everyRecordOfAJobEndsWithItsRemoval() throws Exception {
        SharedFolder tree = tree();
        ZooKeeperJobBoard board = new ZooKeeperJobBoard(tree, counters);
        board.submit(order(JOB));
        board.recordPlan(JOB, plan(3));
        board.recordMergePlan(JOB, new MergePlan(List.of(new WindowSpan(0, 10)), List.of(), SplitTotals.NONE));
        board.lead(JOB, 1);
        board.assign(JOB, 1, new TaskList(List.of(TaskId.split(0))));
        for (int number = 1; number <= 20; number++) {
            board.report(JOB, report(1, number));
        }
        JobTotals totals = new JobTotals(3, 3, 0, 1, 1, 9, 5, 0, 1, 4, 0);
        board.end(JOB, new JobOutcome(1, JobOutcome.Kind.DONE, "", totals));
        assertThat(board.outcome(JOB).orElseThrow().totals()).isEqualTo(totals);

        board.remove(JOB);

        assertThat(tree.list("runs")).isEmpty();
        assertThat(board.orders()).isEmpty();
        assertThat(board.reports(JOB, Map.of())).isEmpty();
        assertThatThrownBy(() -> board.report(JOB, report(2, 1))).isInstanceOf(BoardException.class);
        assertThat(board.update(order(JOB), order(JOB).again())).isFalse();
    }

    @Test
    void theRemovalOfAnOldRunLeavesTheNewOne() throws Exception {
        ZooKeeperJobBoard board = board();
        board.submit(order(JOB));
        board.remove(JOB);
        JobId next = new JobId("j", 8);
        board.submit(order(next));
        board.report(next, report(1, 1));

        board.remove(JOB);

        assertThat(board.orders()).containsExactly(order(next));
        assertThat(board.reports(next, Map.of())).hasSize(1);
        assertThat(board.reports(next, Map.of(1L, 1L))).isEmpty();
    }

    @Test
    void malformedRecordsCountAndAreMissing() throws Exception {
        SharedFolder tree = tree();
        ZooKeeperJobBoard board = new ZooKeeperJobBoard(tree, counters);
        board.submit(order(JOB));
        byte[] bad = "{\"run\":1".getBytes(StandardCharsets.UTF_8);
        String run = "runs/j." + JOB.runHex();
        tree.create("orders/bad", bad, SharedFolder.Lifetime.KEPT);
        tree.create("workers/0000000000000001", bad, SharedFolder.Lifetime.KEPT);
        tree.create(run + "/outcome", bad, SharedFolder.Lifetime.KEPT);
        tree.create(
                run + "/plan",
                "{\"digest\":\"../..\",\"parts\":1,\"length\":9}".getBytes(StandardCharsets.UTF_8),
                SharedFolder.Lifetime.KEPT);
        board.report(JOB, report(1, 1));
        tree.create(run + "/reports/0000000000000001/2", bad, SharedFolder.Lifetime.KEPT);
        board.report(JOB, report(1, 3));

        assertThat(board.orders()).containsExactly(order(JOB));
        assertThat(board.orders()).hasSize(1);
        assertThat(board.workers()).isEmpty();
        assertThat(board.outcome(JOB)).isEmpty();
        assertThat(board.reports(JOB, Map.of())).hasSize(3);
        assertThat(board.reports(JOB, Map.of()).get(1).splits()).isEmpty();
        assertThatThrownBy(() -> board.plan(JOB))
                .isInstanceOf(JobException.class)
                .hasMessageContaining("remove");
        assertThat(counters.get(DatasetCounter.RECORDS_MALFORMED)).isEqualTo(4);
        board.end(JOB, new JobOutcome(1, JobOutcome.Kind.FAILED, "x", new JobTotals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)));
        assertThat(board.outcome(JOB).orElseThrow().reason()).isEqualTo("x");
    }

    /** Nobody replaces such a record, so a job that takes it for missing would wait for ever. */
    @Test
    void plansOfAnotherBuildAreUnreadable() throws Exception {
        SharedFolder tree = tree();
        ZooKeeperJobBoard board = new ZooKeeperJobBoard(tree, counters);
        board.submit(order(JOB));
        String run = "runs/j." + JOB.runHex();
        tree.create(
                run + "/merge",
                "{\"ranges\":[{\"from_ns\":0,\"to_ns\":10}],\"skipped\":[]}".getBytes(StandardCharsets.UTF_8),
                SharedFolder.Lifetime.KEPT);
        tree.create(run + "/plan", "{\"parts\":1}".getBytes(StandardCharsets.UTF_8), SharedFolder.Lifetime.KEPT);

        assertThatThrownBy(() -> board.mergePlan(JOB))
                .isInstanceOf(JobException.class)
                .hasMessageContainingAll("merge", "another version", "dataset remove j");
        assertThatThrownBy(() -> board.plan(JOB))
                .isInstanceOf(JobException.class)
                .hasMessageContainingAll("plan", "another version", "dataset remove j");
    }

    @Test
    void removesAJobWhoseOrderIsDamaged() throws Exception {
        SharedFolder tree = tree();
        ZooKeeperJobBoard board = new ZooKeeperJobBoard(tree, counters);
        board.submit(order(JOB));
        assertThat(board.remove(new JobId("j", 99)))
                .as("a good order of another run")
                .isFalse();
        tree.replace(
                "orders/j",
                "{".getBytes(StandardCharsets.UTF_8),
                tree.read("orders/j").orElseThrow().version());

        assertThat(board.remove(new JobId("j", 99))).isTrue();
        assertThat(tree.list("orders")).isEmpty();
        assertThat(tree.list("runs")).isEmpty();
    }

    @Test
    void aWorkerThatReturnsReplacesItsRecords() throws BoardException {
        ZooKeeperJobBoard first = board();
        ZooKeeperJobBoard second = board();
        WorkerSession self = new WorkerSession(5, 6, "n", "h:1", 2);
        first.submit(order(JOB));
        first.enlist(self);
        first.enlist(self);
        assertThat(first.lead(JOB, 5)).isTrue();
        assertThat(second.lead(JOB, 4)).isFalse();

        second.enlist(self); // the session of the first is not over yet
        assertThat(second.lead(JOB, 5)).isTrue();
        sessions.end(0);

        assertThat(second.workers()).containsExactly(self);
        assertThat(second.lead(JOB, 5)).isTrue();
        second.withdraw(5);
        assertThat(second.workers()).isEmpty();
    }
}
