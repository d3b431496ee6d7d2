package io.chimera.common.cluster;

/**
 * Confirmation of a processor that the store has all rows of a shard of a cycle, with the accounts of the shard.
 *
 * @param cycle the cycle
 * @param shard the shard
 * @param session session of the processor
 * @param accounts data points of the shard
 * @param rows rows written
 * @param checksum checksum over all received copies
 */
public record ShardCommit(long cycle, int shard, long session, Accounts accounts, long rows, long checksum) {
    /**
     * Data points of a shard, each counted once.
     *
     * @param aggregated data points aggregated into rows
     * @param late data points too old for the cycle
     * @param rejected data points rejected by the aggregation
     * @param filtered data points not selected by any pipeline, as counted by the senders of the parts
     */
    public record Accounts(long aggregated, long late, long rejected, long filtered) {}

    /** Committed shard. */
    public ShardId id() {
        return new ShardId(cycle, shard);
    }
}
