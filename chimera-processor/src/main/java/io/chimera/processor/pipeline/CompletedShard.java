package io.chimera.processor.pipeline;

import io.chimera.api.model.Row;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.ShardId;
import io.chimera.common.wire.Slice;
import java.util.List;

/**
 * A shard of a cycle with all parts staged, on its way from staging to the flusher and back. Only the present owner
 * reads the shard.
 */
public interface CompletedShard {
    /** Returns the digest of the pipelines used for staging. */
    ConfigurationDigest digest();

    /** Returns the pipelines used for staging, in the order of their names. */
    List<Pipeline> pipelines();

    /**
     * Returns the ordinal of the pipeline with a composition. An unchanged pipeline has the same composition object in
     * several configurations.
     */
    default int ordinalOf(ProcessorComposition after) {
        for (Pipeline pipeline : pipelines()) {
            if (pipeline.after() == after) {
                return pipeline.ordinal();
            }
        }
        throw new IllegalArgumentException("No pipeline of cycle " + cycle() + " has this composition.");
    }

    ShardId id();

    /** Returns the number of the cycle. */
    default long cycle() {
        return id().cycle();
    }

    /** Returns the number of the shard. */
    default int shard() {
        return id().shard();
    }

    /** Returns the staged slice of the shard. */
    Slice slice();

    /** Returns whether no slice of the shard is flushed before this slice. */
    boolean isFirst();

    /** Returns whether this slice is the last of the shard; the shard is committed with its last slice. */
    boolean isLast();

    /** Returns the rows of earlier slices that stores acknowledged. */
    long rowsBefore();

    /**
     * Adds the accounts of this slice to the accounts of the shard. The flusher calls this method for every slice but
     * the last.
     *
     * @param rows acknowledged rows of this slice
     */
    void flushed(long rows);

    /** Returns the time of the cycle. */
    CycleTime time();

    /** Returns the time of every aggregated row: the time of the cycle, in ms since 1970. */
    default long timeMs() {
        return time().rowsMs();
    }

    /**
     * Returns the number of data points in the groups, each counted once. All accounts cover this slice and the slices
     * before.
     */
    long aggregated();

    /** Returns the number of late data points. */
    long late();

    /** Returns the number of data points that could not be aggregated. */
    long rejected();

    /** Returns the number of data points taken by no pipeline, as counted by the senders. */
    long filtered();

    /** Returns the sum of the checksums of all copies. */
    long checksum();

    /**
     * Returns the rows of a pipeline without aggregation.
     *
     * @param pipeline ordinal of the pipeline
     * @return the rows, each with its own time; null when the pipeline aggregates
     */
    List<Row> rows(int pipeline);

    /**
     * Returns the aggregates of a pipeline.
     *
     * @param pipeline ordinal of the pipeline
     * @return a cursor before the first group
     */
    GroupCursor groups(int pipeline);
}
