package io.chimera.common.config.pipeline;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Composition after the sharding. */
public record AfterConfig(
        @Doc("Number of partitions of the keys and of the state, the limit for spreading over processors; 1 to"
                + " 4096. A change moves state to other partitions.")
        @Default("64")
        Integer partitions,

        @Doc("Fields or tags that route a point to partitions: the point goes to one partition per key, e.g. for"
                + " each user of a call. Empty: to the partition of the group key of aggregate.")
        @Default
        List<String> keys,

        @Doc("Blocks, by name.") @Default Map<String, BlockConfig> blocks,

        @Doc("Output of the composition: input, a block (its first gate) or block.gate; empty: the first gate of"
                + " each block without consumers.")
        @Default
        List<String> output)
        implements CompositionConfig {
    /** Maximum number of keys, and therefore of copies of a point. */
    private static final int KEYS_MAX = 8;

    /** Orders the blocks by name. */
    public AfterConfig {
        blocks = Collections.unmodifiableMap(new TreeMap<>(blocks));
        new Requirements().between("partitions", partitions, 1, 4096).check();
        if (keys.size() > KEYS_MAX || keys.contains("") || new HashSet<>(keys).size() < keys.size()) {
            throw new IllegalArgumentException("keys must be at most " + KEYS_MAX + " distinct names");
        }
    }
}
