package io.chimera.api.spi;

import io.chimera.api.model.CycleNumber;
import io.chimera.api.model.PipelineName;
import io.chimera.api.model.PipelinesDigest;
import io.chimera.api.model.RowVersion;
import io.chimera.api.model.ShardIndex;
import io.chimera.api.model.SliceIndex;
import org.jspecify.annotations.Nullable;

/**
 * Identity of the rows between {@link ShardStore#begin} and {@link ShardStore#commit}: the rows of a pipeline for a
 * shard of a cycle.
 *
 * @param cycle number of the cycle; for a replay, number of the replay cycle
 * @param repeats number of the cycle repeated by a replay; null for a live cycle
 * @param timeMs time of the cycle, milliseconds since 1970; rows of a composition have times of their own
 * @param pipeline the pipeline
 * @param shard the shard. A replay may have another number of shards
 * @param slice the slice of the shard; {@link SliceIndex#WHOLE} in general
 * @param attempt version of the assignment of the cycle, 0 for the first. The rows of each attempt are equal
 * @param digest the pipelines of the cycle
 */
public record ShardWrite(
        CycleNumber cycle,
        @Nullable CycleNumber repeats,
        long timeMs,
        PipelineName pipeline,
        ShardIndex shard,
        SliceIndex slice,
        int attempt,
        PipelinesDigest digest) {
    /**
     * Checks the attempt.
     *
     * @param cycle number of the cycle
     * @param repeats number of the repeated cycle, or null
     * @param timeMs time of the cycle, milliseconds since 1970
     * @param pipeline the pipeline
     * @param shard the shard
     * @param slice the slice of the shard
     * @param attempt 0 or more
     * @param digest the pipelines of the cycle
     */
    public ShardWrite {
        if (attempt < 0) {
            throw new IllegalArgumentException("An attempt is 0 or more, not " + attempt + ".");
        }
    }

    /**
     * Returns the version of the rows: the higher number of the cycle and the repeated cycle. So a replay overwrites
     * the live cycle, a later replay overwrites an earlier replay, and a late attempt of the live cycle overwrites
     * neither.
     *
     * @return the version
     */
    public RowVersion version() {
        return new RowVersion(repeats == null ? cycle.value() : Math.max(cycle.value(), repeats.value()));
    }

    @Override
    public String toString() {
        return "shard " + shard + " of cycle " + cycle.value()
                + (repeats == null ? "" : " (replay of " + repeats.value() + ")") + " of pipeline " + pipeline
                + (slice.equals(SliceIndex.WHOLE) ? "" : ", slice " + slice) + ", attempt " + attempt;
    }
}
