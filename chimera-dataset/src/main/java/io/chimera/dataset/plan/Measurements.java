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
 */
public record Measurements(
        List<SourceSample> sources,
        ComputationSample computation,
        StorageSample storage,
        NodeCounts nodes,
        OptionalDouble networkBytesPerSecond,
        OptionalDouble receivingBytesPerCoreSecond) {
    /**
     * Checks the values.
     *
     * @param sources at least one source
     * @param computation the computation
     * @param storage the storage of a data node
     * @param nodes the nodes of the job
     * @param networkBytesPerSecond more than 0
     * @param receivingBytesPerCoreSecond more than 0
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
                more, computation, storage, nodes.with(addition), networkBytesPerSecond, receivingBytesPerCoreSecond);
    }
}
