package io.chimera.common.composition;

import io.chimera.common.config.GateRef;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A composition that was proved to be possible: blocks of known types, with their settings, in an order in which each comes
 * behind those it takes from. Made by {@link CompositionPlanner}. Immutable.
 *
 * @param blocks in that order
 * @param output what leaves, each by its full name
 * @param partitions partitions of the keys; 1 ahead of the shard
 */
public record CompositionPlan(List<PlannedBlock> blocks, List<GateRef> output, int partitions) {
    /** Takes unmodifiable copies of the lists. */
    public CompositionPlan {
        blocks = List.copyOf(blocks);
        output = List.copyOf(output);
    }

    /**
     * How far back points have to be given to new instances until their state is that of old ones: the longest sum of horizons
     * along a way through the blocks, since what a block needs of the past is emitted by those ahead of it out of their own.
     *
     * @return zero when no block keeps anything
     */
    public Duration horizon() {
        Map<String, Duration> needed = new HashMap<>();
        Duration longest = Duration.ZERO;
        for (PlannedBlock block : blocks) {
            Duration ahead = Duration.ZERO;
            for (GateRef source : block.from()) {
                ahead = longer(ahead, needed.getOrDefault(source.block(), Duration.ZERO));
            }
            Duration sum = ahead.plus(block.horizon());
            needed.put(block.name(), sum);
            longest = longer(longest, sum);
        }
        return longest;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
