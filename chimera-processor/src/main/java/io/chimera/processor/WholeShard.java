package io.chimera.processor;

import io.chimera.api.model.Row;
import io.chimera.common.cluster.CycleTime;
import java.util.List;

/**
 * A shard of a cycle of which every part is staged whole, on its way from staging to the flusher and, when it is done with,
 * back. Whoever has it reads it alone.
 */
public interface WholeShard {
    /** Digest of the pipelines that it was staged with. */
    String digest();

    /** These pipelines, in the order of their names. */
    List<Pipeline> pipelines();

    /** The one of these that has a composition; pipelines that did not change have it in common. */
    default int ordinalOf(After after) {
        for (Pipeline pipeline : pipelines()) {
            if (pipeline.after() == after) {
                return pipeline.ordinal();
            }
        }
        throw new IllegalArgumentException("None of the pipelines of cycle " + cycle() + " has this composition.");
    }

    /** The cycle. */
    long cycle();

    /** The shard. */
    int shard();

    /** Whether no slice of the shard is flushed before this one. */
    boolean isFirst();

    /** Whether no slice of the shard is left to flush after this one, so that the shard is committed with this one. */
    boolean isLast();

    /** Rows that stores acknowledged of slices before this one. */
    long rowsBefore();

    /**
     * Takes the accounts of this slice into those of the shard. The flusher calls this for every slice but the last.
     *
     * @param rows rows that stores acknowledged of this slice
     */
    void flushed(long rows);

    /** Time of the cycle. */
    CycleTime time();

    /** Time of every row that is aggregated: that of the cycle, in ms since 1970. */
    default long timeMs() {
        return time().rowsMs();
    }

    /** Data points that went into the groups, each counted once; as all accounts: of this slice and of those before it. */
    long aggregated();

    /** Data points too old. */
    long late();

    /** Data points that could not be aggregated. */
    long rejected();

    /** Data points that no pipeline takes, as the senders counted them. */
    long filtered();

    /** Sum of the checksums of all copies. */
    long checksum();

    /**
     * Rows that follow from a pipeline without any aggregation.
     *
     * @param pipeline ordinal of the pipeline
     * @return the rows, each of its own time; null when the pipeline aggregates
     */
    List<Row> rows(int pipeline);

    /**
     * What a pipeline aggregated.
     *
     * @param pipeline ordinal of the pipeline
     * @return a cursor before the first group
     */
    GroupCursor groups(int pipeline);
}
