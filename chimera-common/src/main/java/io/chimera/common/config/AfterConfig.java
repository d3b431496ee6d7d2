package io.chimera.common.config;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Composition after the sharding. */
public record AfterConfig(
        @Doc(
                "Partitions of the keys, which state belongs to: how far it can be spread over processors; 1 to 4096. Changing"
                        + " it changes where state is.")
        Integer partitions,

        @Doc(
                "Fields or tags whose values say to which partitions a point goes: once to that of each of them, for points that"
                        + " matter to two users. Empty: to the one partition of what aggregate groups by.")
        List<String> keys,

        @Doc("Blocks, by name.") Map<String, BlockConfig> blocks,

        @Doc("What leaves the composition: input, a block (its first gate) or block.gate; empty: the first gate of"
                + " each block that no other takes from.")
        List<String> output)
        implements CompositionConfig {
    /** Maximum number of keys, and therefore of copies of a point. */
    private static final int KEYS_MAX = 8;

    /** Sets the defaults. Blocks are ordered by name. */
    public AfterConfig {
        partitions = partitions == null ? 64 : partitions;
        keys = keys == null ? List.of() : List.copyOf(keys);
        blocks = blocks == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(blocks));
        output = output == null ? List.of() : List.copyOf(output);
        new Requirements().between("partitions", partitions, 1, 4096).check();
        if (keys.size() > KEYS_MAX || keys.contains("") || new HashSet<>(keys).size() < keys.size()) {
            throw new IllegalArgumentException("keys are at most " + KEYS_MAX + " names, each once");
        }
    }
}
