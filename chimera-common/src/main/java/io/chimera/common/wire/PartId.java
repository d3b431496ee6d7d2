package io.chimera.common.wire;

/**
 * Identity of a part of a shard: the unit of transmission between a queue node and a processor.
 *
 * @param cycle number of the cycle
 * @param part number of the part, from 0
 * @param shard number of the shard, from 0
 */
public record PartId(long cycle, int part, int shard) {
    @Override
    public String toString() {
        return "part " + part + " of shard " + shard + " of cycle " + cycle;
    }
}
