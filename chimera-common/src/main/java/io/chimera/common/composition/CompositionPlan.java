package io.chimera.common.composition;

import io.chimera.common.config.pipeline.GateRef;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Validated plan of a composition: blocks of known types, with their settings, sorted so that each block follows its
 * sources. Created by {@link CompositionPlanner}. Immutable.
 *
 * @param blocks blocks in topological order
 * @param output gates of the output, each with its full name
 * @param partitions number of partitions of the keys; 1 before the sharding
 */
public record CompositionPlan(List<PlannedBlock> blocks, List<GateRef> output, int partitions) {
    /** Copies the lists. */
    public CompositionPlan {
        blocks = List.copyOf(blocks);
        output = List.copyOf(output);
    }

    /**
     * Returns the replay time range needed by new instances to reach the state of the old instances: the longest sum of
     * horizons along a path through the blocks. The horizons add up, because the past input of a block is rebuilt by
     * the preceding blocks from their own past input.
     *
     * @return zero if no block has state
     */
    public Duration horizon() {
        Map<String, Duration> needed = new HashMap<>();
        Duration longest = Duration.ZERO;
        for (PlannedBlock block : blocks) {
            Duration ahead = Duration.ZERO;
            for (GateRef source : block.wiring().from()) {
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
