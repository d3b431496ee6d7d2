package io.chimera.node.dataset.worker;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.DatasetCounter;
import io.chimera.common.metrics.Metrics;
import io.chimera.common.metrics.WorkerCounter;
import io.chimera.coordinator.zookeeper.ZooKeeperSession;
import io.chimera.coordinator.zookeeper.ZooKeeperSettings;
import io.chimera.dataset.cluster.JobBoard;
import io.chimera.dataset.cluster.JobMetrics;
import io.chimera.dataset.cluster.WorkerContext;
import io.chimera.dataset.cluster.WorkerFolder;
import io.chimera.dataset.cluster.WorkerSession;
import io.chimera.node.dataset.board.ZooKeeperJobBoard;
import io.chimera.node.dataset.worker.DatasetWorker.WorkThreads;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker whose thread is ended by an error of the JVM. */
final class DatasetWorkerTest {
    @TempDir
    Path folder;

    /** Returns a board whose use fails with an error of the JVM, as with a full heap. */
    private static JobBoard boardWithoutMemory() {
        return (JobBoard) Proxy.newProxyInstance(
                DatasetWorkerTest.class.getClassLoader(), new Class<?>[] {JobBoard.class}, (proxy, method, given) -> {
                    throw new InternalError("made by the test");
                });
    }

    @Test
    void aNodeWhoseThreadHasEndedIsNotReady() throws IOException {
        SystemClock clock = new SystemClock();
        ZooKeeperSettings unreachable = new ZooKeeperSettings(
                "127.0.0.1:1", ZooKeeperSettings.ROOT_DEFAULT, "c", Duration.ofSeconds(6), "", Optional.empty());
        Counters<DatasetCounter> counters = new Counters<>(DatasetCounter.class);
        try (ZooKeeperSession session = new ZooKeeperSession(
                        unreachable, "n", clock, new Counters<>(ClusterCounter.class), error -> {});
                WorkerFolder results = WorkerFolder.open(folder, () -> 1);
                ResultService pages = new ResultService(results, counters);
                HttpResultTransfer transfer = new HttpResultTransfer(Optional.empty(), "");
                WorkThreads threads = new WorkThreads(1)) {
            WorkerContext context = new WorkerContext(
                    boardWithoutMemory(),
                    new WorkerSession(1, 1, "n", "h:1", 1),
                    results,
                    order -> {
                        throw new IOException("no job");
                    },
                    transfer,
                    threads,
                    64L << 20,
                    clock,
                    new Counters<>(WorkerCounter.class),
                    new JobMetrics(new Metrics("n")));
            try (DatasetWorker worker = new DatasetWorker(
                    context, threads, new ZooKeeperJobBoard(session.datasets(), counters), pages, error -> {})) {
                assertThat(worker.notReady()).isEmpty();
                worker.start();

                await().dontCatchUncaughtExceptions()
                        .until(() -> worker.notReady().isPresent());
                assertThat(worker.notReady().orElseThrow()).contains("error", "restart");
            }
        }
    }

    @Test
    void aWarningAboutAFailedJobHasSentences() {
        assertThat(DatasetWorker.failure("j1", "no node may read there")).contains("j1", "may read there. Run it");
        assertThat(DatasetWorker.failure("j1", "The split is bad.")).contains("is bad. Run it");
    }
}
