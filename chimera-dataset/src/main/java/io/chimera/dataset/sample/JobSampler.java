package io.chimera.dataset.sample;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.compute.JobPipeline;
import io.chimera.dataset.fetch.ReadAhead;
import io.chimera.dataset.job.JobInput;
import io.chimera.dataset.job.JobSettings;
import io.chimera.dataset.job.Split;
import io.chimera.dataset.plan.ComputationSample;
import io.chimera.dataset.plan.JobStart;
import io.chimera.dataset.plan.Measurements;
import io.chimera.dataset.plan.NodeCounts;
import io.chimera.dataset.plan.SourceSample;
import io.chimera.dataset.plan.StorageSample;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.Retries;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/**
 * Samples a job of one process before it runs: first the source alone, then the computation on all cores, then the
 * source again while all cores compute, and the storage at the end. One thread.
 */
public final class JobSampler {
    /** Part of the bytes of a sample for the computation, and for the storage. */
    private static final int PART = 8;

    /** Part of the time for reading the sample of the computation. */
    private static final int TIME_PART = 3;

    private static final long COMPUTATION_BYTES_MAX = 4L << 20;
    private static final long STORAGE_BYTES_MAX = 32L << 20;

    private final SampleLimits limits;
    private final Clock clock;
    private final Retries.Pauses pauses;

    /**
     * Creates a sampler.
     *
     * @param limits bounds of a sample
     * @param clock time of the sample
     * @param pauses waits while the computation runs
     */
    public JobSampler(SampleLimits limits, Clock clock, Retries.Pauses pauses) {
        this.limits = limits;
        this.clock = clock;
        this.pauses = pauses;
    }

    /**
     * Samples a job.
     *
     * @param input events of the job
     * @param splits splits to compute, at least one
     * @param pipelines makes the pipelines of a thread
     * @param settings settings of the job
     * @param copies existing folder for copies
     * @return measurements with one node as worker and data node; the start is that of a job in a new process with a
     *     plan
     * @throws IOException when the source or the storage fails, or the sample has no event
     */
    public Measurements sample(
            JobInput input,
            List<Split> splits,
            Supplier<List<JobPipeline>> pipelines,
            JobSettings settings,
            Path copies)
            throws IOException {
        long total = splits.stream().mapToLong(split -> split.range().length()).sum();
        SampleBudget budget = new SampleBudget(limits.ofDataSet(total), clock);
        long computationBytes = Math.min(COMPUTATION_BYTES_MAX, Math.max(1, budget.bytes() / PART));
        long storageBytes = Math.min(STORAGE_BYTES_MAX, Math.max(1, budget.bytes() / 2));
        List<DataObject> objects = splits.stream().map(Split::object).distinct().toList();
        Split first = splits.get(0);
        try (ReadAhead bytes = ahead(input, first, settings, computationBytes);
                SampledComputation load =
                        new SampledComputation(input.format(), pipelines, settings, first, bytes, clock);
                SourceReads reads = new SourceReads(input.source(), objects, clock, ProcessorTime.ofSystem())) {
            load.load(computationBytes, budget.time(TIME_PART));
            budget.take(0, Math.min(budget.bytes(), load.bytes()));
            SourceProbe probe = new SourceProbe(reads, budget);
            SourceSample idle = probe.measure();
            OptionalDouble perCore = probe.bytesPerCoreSecond();
            load.start();
            ComputationProbe cores = new ComputationProbe(clock, pauses);
            ComputationSample computation = cores.measure(load, limits.timeMax().dividedBy(TIME_PART));
            SourceSample source = probe.measureBusy(idle);
            load.stop();
            StorageSample storage = new StorageProbe(clock).measure(copies, storageBytes);
            double warmUp = cores.warmUpSeconds() + load.warmUpSeconds(computation.eventsPerCoreSecond());
            return new Measurements(
                    List.of(source),
                    computation,
                    storage,
                    nodes(settings),
                    OptionalDouble.empty(),
                    perCore,
                    new JobStart(0, probe.rampSeconds(), warmUp));
        }
    }

    private static ReadAhead ahead(JobInput input, Split split, JobSettings settings, long bytes) {
        int length = (int) Math.min(settings.depth().rangeLength(), Math.max(1, bytes / 2));
        return new ReadAhead(
                input.source(), split.object(), split.range(), new ReadAhead.Depth(length, 2), input.reception());
    }

    /** Returns one node that computes on the workers' cores, and keeps the copies. */
    public static NodeCounts nodes(JobSettings settings) {
        long readAhead = (long) settings.workers()
                * settings.depth().ranges()
                * settings.depth().rangeLength();
        return new NodeCounts(1, settings.workers(), 1, false, readAhead, readAhead, false);
    }
}
