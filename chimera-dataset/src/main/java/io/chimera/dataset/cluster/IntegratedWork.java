package io.chimera.dataset.cluster;

import io.chimera.dataset.meter.WorkMeasures;
import io.chimera.dataset.plan.Prices;
import io.chimera.dataset.plan.RunTotals;
import java.util.List;

/**
 * Work of a job's workers, integrated over time: each report counts for the workers that were there when the work was
 * done, so a worker that joins or leaves changes no earlier time, rate or cost. Work from before the first look counts
 * as if the workers of the first look had done it. One thread.
 */
final class IntegratedWork {
    private static final double NS_PER_SECOND = 1e9;

    private WorkMeasures known = WorkMeasures.NONE;
    private int workers;
    private double threadsPerWorker;

    /** Time of workers on reported splits; a worker with half of its threads at work counts half. */
    private double workerSeconds;

    /** Mean of the workers' time with a read under way. */
    private double receivingSeconds;

    /** Mean of the workers' time with a write to copies under way. */
    private double writingSeconds;

    /**
     * Begins with no work.
     *
     * @param live the live workers, at least one
     */
    IntegratedWork(List<WorkerSession> live) {
        count(live);
    }

    private void count(List<WorkerSession> live) {
        workers = live.size();
        threadsPerWorker = live.stream().mapToInt(WorkerSession::threads).sum() / (double) workers;
    }

    /**
     * Adds the work since the last look.
     *
     * @param now sums of all workers, also of ended ones
     * @param live the live workers from now on; without one, the last ones are assumed
     */
    void add(WorkMeasures now, List<WorkerSession> live) {
        double threadNs = now.computed().busyNs()
                + now.computed().waitingNs()
                - (double) known.computed().busyNs()
                - known.computed().waitingNs();
        workerSeconds += threadNs / threadsPerWorker / NS_PER_SECOND;
        receivingSeconds += mean(now.received().busyNs() - known.received().busyNs());
        writingSeconds += mean(now.copied().busyNs() - known.copied().busyNs());
        known = now;
        if (!live.isEmpty()) {
            count(live);
        }
    }

    private double mean(long ns) {
        return ns / NS_PER_SECOND / workers;
    }

    /**
     * Returns the totals of the job.
     *
     * @param elapsedSeconds time since the start of the job
     * @param prices prices of the job
     */
    RunTotals totals(double elapsedSeconds, Prices prices) {
        long received = known.received().bytes();
        WorkMeasures.Computed computed = known.computed();
        return new RunTotals(
                elapsedSeconds,
                prices.ofPart(workerSeconds, 1, (double) received),
                computed.splits(),
                computed.bytes(),
                computed.points(),
                computed.busyNs() / NS_PER_SECOND,
                computed.waitingNs() / NS_PER_SECOND,
                received,
                received > 0 ? receivingSeconds : 0,
                0,
                known.copied().bytes(),
                writingSeconds);
    }
}
