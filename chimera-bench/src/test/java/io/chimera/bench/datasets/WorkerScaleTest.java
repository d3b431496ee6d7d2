package io.chimera.bench.datasets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.datasets.process.FarServer;
import io.chimera.bench.datasets.process.JobCommands;
import io.chimera.bench.report.ProgramRun;
import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Needs nginx, which {@code scripts/setup} installs. */
final class WorkerScaleTest {
    private static final int WORKERS = 2;

    @TempDir
    private Path folder;

    @Test
    void aFailureKeepsEarlierRatesAndLeavesNoObjects() throws Exception {
        assumeTrue(ProgramRun.find("nginx").isPresent(), "nginx is not installed");
        DatasetsResults results = new DatasetsResults();
        try (DataFolder data = DataFolder.create(folder);
                FarServer server = FarServer.nginx(data.root(), folder.resolve("nginx"))) {
            BenchSite bench = new BenchSite(new ChimeraHome(folder), folder, true, line -> {});
            DatasetsSite site =
                    new DatasetsSite(bench, DatasetsEffort.QUICK, data, server, new JobCommands(bench), results);
            WorkerScale scale = new WorkerScale(site, "workers", WORKERS, (text, urls) -> {
                if (urls.size() > 1) {
                    throw new IOException("a failed job");
                }
                return 6;
            });
            scale.near(1, 1);
            scale.near(WORKERS, 1);
            assertThatThrownBy(() -> scale.near(WORKERS, 2)).hasMessage("a failed job");
            scale.addRatios();

            assertThat(scale.rateOf(1)).isPresent();
            assertThat(scale.rateOf(3)).isEmpty();
            assertThat(results.ratios()).containsOnlyKeys("workers_2_to_1_sources_1");
            assertThat(data.file("")).isEmptyDirectory();
        }
    }
}
