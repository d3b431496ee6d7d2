package io.chimera.dataset.meter;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.copy.CopyTotals;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** Meters of a job: its sources and its workers. Any thread. */
public final class JobMeters {
    private final Clock clock;
    private final List<MeteredSource> sources = new CopyOnWriteArrayList<>();
    private final List<WorkerMeter> workers = new CopyOnWriteArrayList<>();
    private volatile Supplier<CopyTotals> copies = () -> CopyTotals.NONE;

    /**
     * Sums over all sources and workers.
     *
     * @param received bytes from the sources
     * @param failures failed reads
     * @param computed bytes read by the workers
     * @param computingNs computation of finished splits, waiting excluded
     * @param waitingNs time that workers waited for the bytes of finished splits
     */
    public record Sums(long received, long failures, long computed, long computingNs, long waitingNs) {}

    /**
     * Creates meters without sources and workers.
     *
     * @param clock time of the work
     */
    public JobMeters(Clock clock) {
        this.clock = clock;
    }

    /** Adds a source. */
    public void add(MeteredSource source) {
        sources.add(source);
    }

    /** Takes the use of copies from a place that counts it. */
    public void copies(Supplier<CopyTotals> totals) {
        copies = totals;
    }

    /** Returns the use of copies. */
    public CopyTotals copies() {
        return copies.get();
    }

    /** Adds a worker and returns its meter. */
    public WorkerMeter newWorker() {
        WorkerMeter worker = new WorkerMeter(clock);
        workers.add(worker);
        return worker;
    }

    /** Returns the sources' totals. */
    public List<MeteredSource.Totals> sources() {
        return sources.stream().map(MeteredSource::totals).toList();
    }

    /** Returns the workers' totals in the order of their start. */
    public List<WorkerMeter.Totals> workers() {
        return workers.stream().map(WorkerMeter::totals).toList();
    }

    /** Returns the work so far. The time of reception is that of the source with the longest one. */
    public WorkMeasures measures() {
        return measures(workers(), sources());
    }

    private WorkMeasures measures(List<WorkerMeter.Totals> ofWorkers, List<MeteredSource.Totals> ofSources) {
        CopyTotals ofCopies = copies();
        return new WorkMeasures(
                ofWorkers.stream()
                        .map(worker -> new WorkMeasures.Computed(
                                worker.splits(),
                                worker.bytes() - worker.bytesOfSplit(),
                                worker.points(),
                                worker.computingNs(),
                                worker.waitingNs()))
                        .reduce(WorkMeasures.Computed.NONE, WorkMeasures.Computed::plus),
                new WorkMeasures.Moved(
                        ofSources.stream()
                                .mapToLong(MeteredSource.Totals::bytes)
                                .sum(),
                        ofSources.stream()
                                .mapToLong(MeteredSource.Totals::busyNs)
                                .max()
                                .orElse(0)),
                new WorkMeasures.Moved(ofCopies.writtenBytes(), ofCopies.writingNs()),
                ofCopies.readBytes());
    }

    /** Returns the sums. */
    public Sums sums() {
        List<WorkerMeter.Totals> ofWorkers = workers(); // one state: a split that ends moves its bytes between two sums
        List<MeteredSource.Totals> ofSources = sources();
        WorkMeasures measures = measures(ofWorkers, ofSources);
        return new Sums(
                measures.received().bytes(),
                ofSources.stream().mapToLong(MeteredSource.Totals::failures).sum(),
                measures.computed().bytes()
                        + ofWorkers.stream()
                                .mapToLong(WorkerMeter.Totals::bytesOfSplit)
                                .sum(),
                measures.computed().busyNs(),
                measures.computed().waitingNs());
    }
}
