package io.chimera.processor.staging;

import io.chimera.common.cluster.Held.Edition;
import io.chimera.processor.Pipeline;
import io.chimera.processor.staging.warehouse.Plugins;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** All shards of which something is staged: few, so they are found by looking at each. Staging's thread. */
final class StagedShards {
    /** Cycles of which something may be staged at one time: those that may be in flight. */
    static final int CYCLES_MAX = KnownCycles.AHEAD_MAX;

    /**
     * Parts of all shards beyond which none is staged that the view does not vouch for. 16 cycles of a cluster of 16 queue
     * nodes and a processor that takes over all of 16 shards: 16 x 16 x 16 = 4,096.
     */
    static final int PARTS_MAX = 4096;

    private Edition<List<Pipeline>> edition;
    private List<Plugins> plugins = List.of();
    private final List<StagedShard> shards = new ArrayList<>();
    private volatile int cycles;

    /** What is staged from now on belongs to these pipelines; drops what was staged with others, but for what the flusher has. */
    void use(Edition<List<Pipeline>> next, List<Plugins> nextPlugins) {
        dropIf(shard -> true);
        edition = next;
        plugins = nextPlugins;
    }

    /** What is staged of a shard, or null. */
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
     * What is staged of a shard, nothing at first. Where there are too many cycles, the newest makes room for an older one.
     *
     * @return null when there is no room
     */
    StagedShard findOrAdd(long cycle, int shard) {
        StagedShard found = find(cycle, shard);
        if (found != null) {
            return found;
        }
        if (!hasCycle(cycle) && cycles() >= CYCLES_MAX && !dropNewestAbove(cycle)) {
            return null;
        }
        StagedShard added = new StagedShard(cycle, shard, edition, plugins);
        shards.add(added);
        count();
        return added;
    }

    private boolean hasCycle(long cycle) {
        return shards.stream().anyMatch(shard -> shard.cycle() == cycle);
    }

    /** Cycles of which something is staged. Any thread. */
    int cycles() {
        return cycles;
    }

    private void count() {
        cycles = (int) shards.stream().mapToLong(StagedShard::cycle).distinct().count();
    }

    /** Whether there are so many parts that there may be no more of unknown cycles. */
    boolean isFullOfParts() {
        return shards.stream().mapToInt(shard -> shard.parts().size()).sum() >= PARTS_MAX;
    }

    List<StagedShard> all() {
        return shards;
    }

    /** Whether anything is staged for pipelines. */
    boolean isAnyOf(List<Pipeline> pipelines) {
        return shards.stream().anyMatch(shard -> shard.pipelines() == pipelines);
    }

    boolean isAnyHandedOver() {
        return shards.stream().anyMatch(StagedShard::isHandedOver);
    }

    /** Whether a shard belongs to the pipelines that staging works with. */
    boolean isCurrent(StagedShard shard) {
        return shard.isOf(edition);
    }

    /** Whether a shard has to wait because an older one is short of memory. */
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

    /** Shards that come after another one and that the flusher does not hold. */
    List<StagedShard> after(StagedShard shard) {
        return shards.stream()
                .filter(other -> !other.isHandedOver() && other.isAfter(shard.cycle(), shard.shard()))
                .toList();
    }

    /** Whether memory is used by shards that come before another one. */
    boolean isMemoryHeldBefore(StagedShard shard) {
        return shards.stream().anyMatch(other -> shard.isAfter(other.cycle(), other.shard()) && other.holdsMemory());
    }

    /** Drops what the flusher does not hold and matches. */
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

    /** Drops everything. */
    void clear() {
        shards.forEach(StagedShard::drop);
        shards.clear();
        count();
    }

    /** Drops a shard that the flusher handed back. */
    void remove(StagedShard shard) {
        shard.drop();
        shards.remove(shard);
        count();
    }

    /** Drops the newest of the cycles above the given one that the flusher holds nothing of; false when there is none. */
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
