package io.chimera.dataset.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Results of sampling a job, before the job runs. Immutable.
 *
 * @param sources the sources; each has the whole data set
 * @param computation the computation
 * @param storage the storage of a data node
 * @param nodes the nodes of the job
 * @param networkBytesPerSecond rate of the link of a node, in each direction; absent when not known, counts as no limit
 * @param receivingBytesPerCoreSecond bytes that a core receives in a second of processor time, with decryption and
 *     checksums; absent when not measured, counts as no limit
 * @param start times that the job loses once
 */
public record Measurements(
        List<SourceSample> sources,
        ComputationSample computation,
        StorageSample storage,
        NodeCounts nodes,
        OptionalDouble networkBytesPerSecond,
        OptionalDouble receivingBytesPerCoreSecond,
        JobStart start) {
    /**
     * Checks the values.
     *
     * @param sources at least one source
     * @param computation the computation
     * @param storage the storage of a data node
     * @param nodes the nodes of the job
     * @param networkBytesPerSecond more than 0
     * @param receivingBytesPerCoreSecond more than 0
     * @param start times that the job loses once
     */
    public Measurements {
        sources = List.copyOf(sources);
        if (sources.isEmpty()) {
            throw new IllegalArgumentException("no sources; expected at least one source");
        }
        if (!(networkBytesPerSecond.orElse(1) > 0) || !(receivingBytesPerCoreSecond.orElse(1) > 0)) {
            throw new IllegalArgumentException("network rate " + networkBytesPerSecond + ", receiving rate "
                    + receivingBytesPerCoreSecond + "; expected positive rates");
        }
    }

    /** Creates measurements of a job that loses no time at its start. */
    public Measurements(
            List<SourceSample> sources,
            ComputationSample computation,
            StorageSample storage,
            NodeCounts nodes,
            OptionalDouble networkBytesPerSecond,
            OptionalDouble receivingBytesPerCoreSecond) {
        this(sources, computation, storage, nodes, networkBytesPerSecond, receivingBytesPerCoreSecond, JobStart.NONE);
    }

    /**
     * Returns the measurements with the time of the plan, for a job that has no plan yet.
     *
     * @param planSeconds time to list the objects and to search the splits
     */
    public Measurements planned(double planSeconds) {
        return with(start.planned(planSeconds));
    }

    /**
     * Returns the measurements for a job that goes on in the process of the sample: the plan is known, the connections
     * are open, and the computation is compiled.
     */
    public Measurements started() {
        return with(JobStart.NONE);
    }

    private Measurements with(JobStart other) {
        return new Measurements(
                sources, computation, storage, nodes, networkBytesPerSecond, receivingBytesPerCoreSecond, other);
    }

    /** Returns the longest round trip of the sources in seconds. */
    double roundTripSeconds() {
        return sources.stream()
                .mapToDouble(source -> source.roundTrip().toNanos() / 1e9)
                .max()
                .orElseThrow();
    }

    /** Returns the measurements as expected after an addition. */
    Measurements with(Addition addition) {
        List<SourceSample> more = new ArrayList<>(sources);
        if (addition == Addition.SOURCE) {
            more.add(sources.stream()
                    .max(Comparator.comparingDouble(SourceSample::best))
                    .orElseThrow());
        }
        return new Measurements(
                more,
                computation,
                storage,
                nodes.with(addition),
                networkBytesPerSecond,
                receivingBytesPerCoreSecond,
                start);
    }
}
