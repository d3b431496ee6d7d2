package io.chimera.dataset.report;

import io.chimera.dataset.copy.CopyTotals;
import io.chimera.dataset.job.ChosenStrategy;
import io.chimera.dataset.job.JobProgress;
import io.chimera.dataset.meter.MeteredSource;
import io.chimera.dataset.meter.RateHistory;
import io.chimera.dataset.meter.WorkerMeter;
import java.util.List;

/**
 * Report of a run of a job.
 *
 * @param job name of the job
 * @param failure reason why the run ended early; empty after a whole run
 * @param seconds duration of the run
 * @param cost cost of the run
 * @param currency currency of the cost
 * @param progress state of the job at the end
 * @param sources reads by source
 * @param workers work by worker
 * @param choices strategies of the run in their order, with reasons
 * @param copies use of copies
 * @param course state of the run over time
 */
public record JobReport(
        String job,
        String failure,
        double seconds,
        double cost,
        String currency,
        JobProgress.Snapshot progress,
        List<MeteredSource.Totals> sources,
        List<WorkerMeter.Totals> workers,
        List<ChosenStrategy> choices,
        CopyTotals copies,
        List<RateHistory.Point> course) {
    /** Copies the lists. */
    public JobReport {
        sources = List.copyOf(sources);
        workers = List.copyOf(workers);
        choices = List.copyOf(choices);
        course = List.copyOf(course);
    }

    /** Returns the number of failed reads of all sources. */
    public long failures() {
        return sources.stream().mapToLong(MeteredSource.Totals::failures).sum();
    }
}
