package io.chimera.node.dataset.client;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.DatasetCounter;
import io.chimera.coordinator.zookeeper.ZooKeeperSession;
import io.chimera.coordinator.zookeeper.ZooKeeperSettings;
import io.chimera.dataset.cluster.JobBoard;
import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.JobOrder;
import io.chimera.dataset.cluster.JobOutcome;
import io.chimera.dataset.cluster.JobTotals;
import io.chimera.dataset.cluster.JobWish;
import io.chimera.dataset.cluster.ReportId;
import io.chimera.dataset.cluster.WindowSpan;
import io.chimera.dataset.cluster.WorkerReport;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.job.JobPlan;
import io.chimera.dataset.job.Split;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.ObjectVersion;
import io.chimera.node.dataset.board.ZooKeeperJobBoard;
import io.chimera.node.dataset.client.JobClient.Submission;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Submissions of a job under the name of an earlier one. */
final class JobClientIT {
    private static final JobTotals NOTHING = new JobTotals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    private static JobOrder order(long run, String definition) {
        return new JobOrder(new JobId("j", run), definition, JobWish.RUN, 1);
    }

    private TestingServer server;
    private ZooKeeperSession session;
    private ZooKeeperJobBoard board;

    @BeforeEach
    void connect() throws Exception {
        server = new TestingServer();
        session = new ZooKeeperSession(
                new ZooKeeperSettings(
                        server.getConnectString(),
                        ZooKeeperSettings.ROOT_DEFAULT,
                        "c",
                        Duration.ofSeconds(6),
                        "",
                        Optional.empty()),
                "n",
                new SystemClock(),
                new Counters<>(ClusterCounter.class),
                error -> {});
        await().until(() -> session.view().connected());
        board = new ZooKeeperJobBoard(session.datasets(), new Counters<>(DatasetCounter.class));
    }

    @AfterEach
    void disconnect() throws Exception {
        session.close();
        server.close();
    }

    @Test
    void aJobWithoutComputedSplitsTakesAnotherDefinition() throws Exception {
        assertThat(JobClient.submit(board, order(1, "wrong")).how()).isEqualTo(Submission.SUBMITTED);
        assertThatThrownBy(() -> JobClient.submit(board, order(2, "right")))
                .as("the job runs")
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("dataset remove j");
        board.end(new JobId("j", 1), new JobOutcome(1, JobOutcome.Kind.FAILED, "no column WRONG", NOTHING));

        assertThat(JobClient.submit(board, order(3, "wrong")).how()).isEqualTo(Submission.CONTINUED);
        board.end(new JobId("j", 1), new JobOutcome(2, JobOutcome.Kind.FAILED, "no column WRONG", NOTHING));
        JobClient.Submitted right = JobClient.submit(board, order(4, "right"));

        assertThat(right.how()).isEqualTo(Submission.SUBMITTED);
        assertThat(board.orders()).containsExactly(order(4, "right"));
        board.report(
                right.id(),
                new WorkerReport(
                        new ReportId(1, 1),
                        1,
                        1,
                        List.of(new WorkerReport.SplitDone(0, "ab", 9, 5, 1, new WindowSpan(0, 10))),
                        List.of(),
                        List.of(),
                        List.of()));
        board.update(order(4, "right"), order(4, "right").with(JobWish.STOP));
        assertThatThrownBy(() -> JobClient.submit(board, order(5, "changed")))
                .as("a split is computed")
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("another definition");
    }

    private static String definition(String memory, String window) {
        return """
                name: j
                source: { url: "file:/data" }
                objects: ["*.lp"]
                memory: %s
                window: %s
                pipelines: { all: { aggregate: { functions: [sum] } } }
                """.formatted(memory, window);
    }

    private static JobPlan plan(long memory) {
        DataObject object = new DataObject("o", 9, new ObjectVersion("1", Checksum.NONE));
        return new JobPlan("d", memory, List.of(new Split(0, object, new ByteRange(0, 9))));
    }

    /** More memory is the remedy for a job that ended, and must not make another job of it. */
    @Test
    void aJobThatRestsTakesAnotherMemory() throws Exception {
        JobOrder first = order(1, definition("64MiB", "1m"));
        JobClient.submit(board, first);
        board.recordPlan(first.id(), plan(64L << 20));
        assertThatThrownBy(() -> JobClient.submit(board, order(2, definition("128MiB", "1m"))))
                .as("the job runs")
                .isInstanceOf(ChimeraException.class)
                .hasMessageContainingAll("memory", "dataset stop j");
        board.update(first, first.with(JobWish.STOP));
        assertThatThrownBy(() -> JobClient.submit(board, orderWithResult(first, "2m")))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("another definition");

        assertThat(JobClient.submit(board, order(3, definition("128MiB", "1m"))).how())
                .isEqualTo(Submission.CONTINUED);

        assertThat(board.orders())
                .containsExactly(new JobOrder(first.id(), definition("128MiB", "1m"), JobWish.RUN, 2));
    }

    /** Such a plan does not say by which memory its splits were computed. */
    @Test
    void aPlanOfAnEarlierBuildTakesNoOtherMemory() throws Exception {
        JobOrder first = order(1, definition("64MiB", "1m"));
        JobClient.submit(board, first);
        board.recordPlan(first.id(), plan(JobPlan.MEMORY_UNKNOWN));
        orderWithResult(first, "1m");
        board.update(first, first.with(JobWish.STOP));

        assertThatThrownBy(() -> JobClient.submit(board, order(2, definition("128MiB", "1m"))))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("another definition");
    }

    /** Reports a computed split, and returns an order with another window. */
    private JobOrder orderWithResult(JobOrder job, String window) throws IOException {
        board.report(
                job.id(),
                new WorkerReport(
                        new ReportId(1, 1),
                        1,
                        1,
                        List.of(new WorkerReport.SplitDone(0, "ab", 9, 5, 1, new WindowSpan(0, 10))),
                        List.of(),
                        List.of(),
                        List.of()));
        return order(9, definition("64MiB", window));
    }

    /** Another command continues the job between the look and the removal. */
    @Test
    void aJobThatContinuesMeanwhileIsNotReplaced() throws Exception {
        JobOrder first = order(1, "wrong");
        JobClient.submit(board, first);
        JobOrder stopped = first.with(JobWish.STOP);
        board.update(first, stopped);
        JobBoard slow = continuedBeforeRemoval(stopped);

        assertThatThrownBy(() -> JobClient.submit(slow, order(2, "right"))).isInstanceOf(ChimeraException.class);
        assertThat(board.orders()).containsExactly(first);
    }

    private JobBoard continuedBeforeRemoval(JobOrder stopped) {
        return (JobBoard) Proxy.newProxyInstance(
                JobBoard.class.getClassLoader(), new Class<?>[] {JobBoard.class}, (proxy, method, arguments) -> {
                    if (method.getName().startsWith("remove")) {
                        board.update(stopped, stopped.with(JobWish.RUN));
                    }
                    return method.invoke(board, arguments);
                });
    }
}
