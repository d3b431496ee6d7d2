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
import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.JobOrder;
import io.chimera.dataset.cluster.JobOutcome;
import io.chimera.dataset.cluster.JobTotals;
import io.chimera.dataset.cluster.JobWish;
import io.chimera.dataset.cluster.ReportId;
import io.chimera.dataset.cluster.WindowSpan;
import io.chimera.dataset.cluster.WorkerReport;
import io.chimera.node.dataset.board.ZooKeeperJobBoard;
import io.chimera.node.dataset.client.JobClient.Submission;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;

/** Submissions of a job under the name of an earlier one. */
final class JobClientIT {
    private static final JobTotals NOTHING = new JobTotals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    private static JobOrder order(long run, String definition) {
        return new JobOrder(new JobId("j", run), definition, JobWish.RUN, 1);
    }

    @Test
    void aJobWithoutComputedSplitsTakesAnotherDefinition() throws Exception {
        try (TestingServer server = new TestingServer();
                ZooKeeperSession session = new ZooKeeperSession(
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
                        error -> {})) {
            await().until(() -> session.view().connected());
            ZooKeeperJobBoard board = new ZooKeeperJobBoard(session.datasets(), new Counters<>(DatasetCounter.class));
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
            board.update(order(4, "right").with(JobWish.STOP));
            assertThatThrownBy(() -> JobClient.submit(board, order(5, "changed")))
                    .as("a split is computed")
                    .isInstanceOf(ChimeraException.class)
                    .hasMessageContaining("another definition");
        }
    }
}
