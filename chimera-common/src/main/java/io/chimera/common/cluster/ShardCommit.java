package io.chimera.common.cluster;

/**
 * A processor's word that all rows of a shard of a cycle are in the store, with the accounts of the shard.
 *
 * @param cycle the cycle
 * @param shard the shard
 * @param session of the processor
 * @param aggregated data points that went into rows
 * @param late data points too old for the cycle
 * @param rejected data points that could not be aggregated
 * @param filtered data points that no pipeline takes, as the senders of the parts counted them
 * @param rows rows written
 * @param checksum over all copies received
 */
public record ShardCommit(
        long cycle,
        int shard,
        long session,
        long aggregated,
        long late,
        long rejected,
        long filtered,
        long rows,
        long checksum) {
    /** Data points that this commit accounts for. */
    public long accounted() {
        return aggregated + late + rejected + filtered;
    }
}
