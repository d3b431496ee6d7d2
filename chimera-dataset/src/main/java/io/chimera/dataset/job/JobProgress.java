package io.chimera.dataset.job;

import io.chimera.api.model.Row;
import io.chimera.dataset.meter.JobMeters;
import io.chimera.dataset.meter.WorkerMeter;
import io.chimera.dataset.plan.Strategy;
import io.chimera.processor.flusher.RowMaker;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Progress of a job, for displays and reports. Any thread. */
public final class JobProgress implements RowMaker.Listener {
    private final JobMeters meters;
    private volatile JobPhase phase = JobPhase.PLANNING;
    private volatile int splits;
    private volatile long bytes;
    private volatile int windows;
    private final AtomicInteger computed = new AtomicInteger();
    private final AtomicInteger skipped = new AtomicInteger();
    private final AtomicLong bytesComputed = new AtomicLong();
    private final AtomicLong points = new AtomicLong();
    private final AtomicLong rejected = new AtomicLong();
    private final AtomicInteger windowsStored = new AtomicInteger();
    private final AtomicLong rows = new AtomicLong();
    private final AtomicLong leftOut = new AtomicLong();
    private final List<ChosenStrategy> choices = new CopyOnWriteArrayList<>();

    /**
     * Counts of a job so far.
     *
     * @param phase the phase
     * @param splits number of splits; 0 before the plan
     * @param splitsComputed splits with a result, also from earlier runs
     * @param bytes length of all splits in bytes as stored
     * @param bytesComputed length of the computed splits in bytes
     * @param points points accepted from the computed splits
     * @param rejected events rejected from the computed splits
     * @param windows number of windows; 0 before all splits are computed
     * @param windowsStored windows whose rows are stored, also by earlier runs
     * @param rows rows stored by this run
     * @param rowsLeftOut rows without a finite value, or whose plugin failed
     * @param splitsSkipped splits without rows, because they or a split before them are bad; also of earlier runs
     */
    public record Snapshot(
            JobPhase phase,
            int splits,
            int splitsComputed,
            long bytes,
            long bytesComputed,
            long points,
            long rejected,
            int windows,
            int windowsStored,
            long rows,
            long rowsLeftOut,
            int splitsSkipped) {}

    /**
     * Creates the progress of a job that has done nothing.
     *
     * @param meters meters of the job
     */
    JobProgress(JobMeters meters) {
        this.meters = meters;
    }

    /** Returns the meters of sources and workers. */
    public JobMeters meters() {
        return meters;
    }

    /** Returns the present state. */
    public Snapshot snapshot() {
        return new Snapshot(
                phase,
                splits,
                computed.get(),
                bytes,
                bytesComputed.get(),
                points.get(),
                rejected.get(),
                windows,
                windowsStored.get(),
                rows.get(),
                leftOut.get(),
                skipped.get());
    }

    /** Returns the choices of the strategy by this run, the first one first; empty before the computation. */
    public List<ChosenStrategy> choices() {
        return List.copyOf(choices);
    }

    @Override
    public void onNotFinite() {
        leftOut.incrementAndGet();
    }

    @Override
    public void onFailed(Row row, Throwable reason) {
        leftOut.incrementAndGet();
    }

    /**
     * Records a choice of the strategy. One thread at a time.
     *
     * @param strategy strategy from now on
     * @param reasons sentences for people
     */
    public void chosen(Strategy strategy, String... reasons) {
        int splitsOfRun =
                meters.workers().stream().mapToInt(WorkerMeter.Totals::splits).sum();
        choices.add(new ChosenStrategy(splitsOfRun, strategy, List.of(reasons)));
    }

    void enter(JobPhase newPhase) {
        phase = newPhase;
    }

    void planned(JobPlan plan) {
        splits = plan.splits().size();
        bytes = plan.bytes();
    }

    void computed(Split split, long splitPoints, long splitRejected) {
        points.addAndGet(splitPoints);
        rejected.addAndGet(splitRejected);
        bytesComputed.addAndGet(split.range().length());
        computed.incrementAndGet();
    }

    void skipped() {
        skipped.incrementAndGet();
    }

    /** Takes a computed split back, because a split before it is bad. */
    void leftOut(Split split, long splitPoints, long splitRejected) {
        points.addAndGet(-splitPoints);
        rejected.addAndGet(-splitRejected);
        bytesComputed.addAndGet(-split.range().length());
        computed.decrementAndGet();
        skipped.incrementAndGet();
    }

    void hasWindows(int count) {
        windows = count;
    }

    void windowStored() {
        windowsStored.incrementAndGet();
    }

    void stored(int count) {
        rows.addAndGet(count);
    }
}
