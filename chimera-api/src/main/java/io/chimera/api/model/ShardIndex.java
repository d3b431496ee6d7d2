package io.chimera.api.model;

/**
 * Place of a shard among the shards of its cycle.
 *
 * @param index from 0
 * @param count number of shards of the cycle
 */
public record ShardIndex(int index, int count) {
    /**
     * Checks the two numbers.
     *
     * @param index from 0
     * @param count number of shards of the cycle
     */
    public ShardIndex {
        if (index < 0 || index >= count) {
            throw new IllegalArgumentException("Shard " + index + " of " + count + " does not exist.");
        }
    }

    @Override
    public String toString() {
        return index + "/" + count;
    }
}
