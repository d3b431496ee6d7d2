package io.chimera.common.cluster;

/**
 * Identity of a shard: the unit of commit.
 *
 * @param cycle number of the cycle
 * @param shard number of the shard, from 0
 */
public record ShardId(long cycle, int shard) {
    @Override
    public String toString() {
        return "shard " + shard + " of cycle " + cycle;
    }
}
