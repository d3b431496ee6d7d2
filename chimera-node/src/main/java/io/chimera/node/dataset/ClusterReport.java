package io.chimera.node.dataset;

import io.chimera.dataset.cluster.JobTotals;
import io.chimera.dataset.copy.CopyTotals;
import io.chimera.dataset.definition.JobConfig;
import io.chimera.dataset.job.JobPhase;
import io.chimera.dataset.job.JobProgress;
import io.chimera.dataset.report.JobReport;
import io.chimera.dataset.report.ReportFiles;
import io.chimera.node.dataset.client.JobState;
import io.chimera.node.dataset.client.JobWatch.Watched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Report of a job on a cluster, with what its record tells: no reads of the sources, no choices of the strategy, no use
 * of copies, and no times of the workers.
 */
final class ClusterReport {
    private ClusterReport() {}

    /**
     * Writes the report.
     *
     * @param config the job
     * @param end end of the watch
     * @param folder receives the files
     * @return the page
     * @throws IOException when a file cannot be written
     */
    static Path write(JobConfig config, Watched end, Path folder) throws IOException {
        Files.createDirectories(folder);
        JobState state = end.state();
        double cost = config.prices()
                .prices()
                .ofPart(end.seconds(), end.workers().size(), (double)
                        state.totals().bytes());
        JobReport report = new JobReport(
                config.name(),
                state.phase() == JobState.Phase.DONE ? "" : state.line(),
                end.seconds(),
                cost,
                config.prices().currency(),
                progress(state),
                List.of(),
                end.workers(),
                List.of(),
                CopyTotals.NONE,
                end.course());
        return ReportFiles.write(report, folder);
    }

    private static JobProgress.Snapshot progress(JobState state) {
        JobTotals totals = state.totals();
        return new JobProgress.Snapshot(
                phase(state),
                totals.splits(),
                totals.splitsDone(),
                state.bytes(),
                totals.bytes(),
                totals.points(),
                totals.rejected(),
                totals.windows(),
                totals.windows(),
                totals.rows(),
                totals.leftOut(),
                totals.splitsSkipped());
    }

    private static JobPhase phase(JobState state) {
        if (state.phase() == JobState.Phase.DONE) {
            return JobPhase.DONE;
        }
        if (state.totals().splits() == 0) {
            return JobPhase.PLANNING;
        }
        return state.totals().ranges() == 0 ? JobPhase.COMPUTING : JobPhase.STORING;
    }
}
