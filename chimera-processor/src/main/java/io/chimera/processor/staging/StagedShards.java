package io.chimera.processor.staging;

import io.chimera.api.ColdPath;
import io.chimera.common.cluster.ShardId;
import io.chimera.common.cluster.membership.ConfigurationRegistry.LoadedConfiguration;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.processor.staging.warehouse.Plugins;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** All staged shards: few, so a linear search suffices. Staging's thread. */
final class StagedShards {
    /** Maximum number of staged cycles: the maximum number of cycles in flight. */
    static final int CYCLES_MAX = KnownCycles.AHEAD_MAX;

    /**
     * Maximum number of parts of all shards before parts of unknown cycles are refused. 16 cycles in a cluster of 16
     * queue nodes, with all 16 shards on one processor: 16 x 16 x 16 = 4,096.
     */
    static final int PARTS_MAX = 4096;

    private LoadedConfiguration<List<Pipeline>> edition;
    private List<Plugins> plugins = List.of();
    private final List<StagedShard> shards = new ArrayList<>();
    private volatile int cycles;

    /** Sets the pipelines for new shards; drops all earlier shards that are not handed over. */
    void use(LoadedConfiguration<List<Pipeline>> next, List<Plugins> nextPlugins) {
        dropIf(shard -> true);
        edition = next;
        plugins = nextPlugins;
    }

    /** Returns a staged shard; null if absent. */
    StagedShard find(long cycle, int shard) {
        for (int i = 0; i < shards.size(); i++) {
            StagedShard staged = shards.get(i);
            if (staged.cycle() == cycle && staged.shard() == shard) {
                return staged;
            }
        }
        return null;
    }

    /**
     * Returns a staged shard, empty when new. With too many cycles, the newest cycle is dropped for an older cycle.
     *
     * @return null when there is no room
     */
    StagedShard findOrAdd(long cycle, int shard) {
        StagedShard found = find(cycle, shard);
        return found == null ? add(cycle, shard) : found;
    }

    @ColdPath
    private StagedShard add(long cycle, int shard) {
        if (!hasCycle(cycle) && cycles() >= CYCLES_MAX && !dropNewestAbove(cycle)) {
            return null;
        }
        StagedShard added = new StagedShard(new ShardId(cycle, shard), edition, plugins);
        shards.add(added);
        count();
        return added;
    }

    private boolean hasCycle(long cycle) {
        return shards.stream().anyMatch(shard -> shard.cycle() == cycle);
    }

    /** Returns the number of staged cycles. Any thread. */
    int cycles() {
        return cycles;
    }

    private void count() {
        cycles = (int) shards.stream().mapToLong(StagedShard::cycle).distinct().count();
    }

    /** Returns whether no more parts of unknown cycles are permitted. */
    boolean isFullOfParts() {
        int parts = 0;
        for (int i = 0; i < shards.size(); i++) {
            parts += shards.get(i).parts().size();
        }
        return parts >= PARTS_MAX;
    }

    List<StagedShard> all() {
        return shards;
    }

    /** Returns whether shards of a pipeline set are staged. */
    boolean isAnyOf(List<Pipeline> pipelines) {
        return shards.stream().anyMatch(shard -> shard.pipelines() == pipelines);
    }

    boolean isAnyHandedOver() {
        for (int i = 0; i < shards.size(); i++) {
            if (shards.get(i).isHandedOver()) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a shard belongs to the running pipelines of staging. */
    boolean isCurrent(StagedShard shard) {
        return shard.isOf(edition);
    }

    /** Returns whether a shard has to wait, because an older shard lacks memory. */
    boolean isPutOff(long cycle, int shard) {
        for (int i = 0; i < shards.size(); i++) {
            StagedShard other = shards.get(i);
            if (other.isFavoured()
                    && !other.isAfter(cycle, shard)
                    && (other.cycle() != cycle || other.shard() != shard)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the shards that follow another shard and are not handed over. */
    List<StagedShard> after(StagedShard shard) {
        return shards.stream()
                .filter(other -> !other.isHandedOver() && other.isAfter(shard.cycle(), shard.shard()))
                .toList();
    }

    /** Returns whether shards before another shard use memory. */
    boolean isMemoryHeldBefore(StagedShard shard) {
        return shards.stream().anyMatch(other -> shard.isAfter(other.cycle(), other.shard()) && other.holdsMemory());
    }

    /** Drops matching shards that are not handed over. */
    void dropIf(Predicate<StagedShard> predicate) {
        shards.removeIf(shard -> {
            boolean isDropped = !shard.isHandedOver() && predicate.test(shard);
            if (isDropped) {
                shard.drop();
            }
            return isDropped;
        });
        count();
    }

    void clear() {
        shards.forEach(StagedShard::drop);
        shards.clear();
        count();
    }

    /** Drops a shard returned by the flusher. */
    void remove(StagedShard shard) {
        shard.drop();
        shards.remove(shard);
        count();
    }

    /** Drops the newest cycle after the given cycle without a shard handed over; false if absent. */
    boolean dropNewestAbove(long cycle) {
        long newest = cycle;
        for (StagedShard shard : shards) {
            if (shard.cycle() > newest && !isHandedOver(shard.cycle())) {
                newest = shard.cycle();
            }
        }
        long dropped = newest;
        dropIf(shard -> shard.cycle() == dropped && dropped > cycle);
        return dropped > cycle;
    }

    private boolean isHandedOver(long cycle) {
        return shards.stream().anyMatch(shard -> shard.cycle() == cycle && shard.isHandedOver());
    }
}
