package io.chimera.common.config;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Composition before the sharding. */
public record BeforeConfig(
        @Doc("Blocks, by name.") Map<String, BlockConfig> blocks,

        @Doc("Output of the composition: input, a block (its first gate) or block.gate; empty: the first gate of"
                + " each block without consumers.")
        List<String> output)
        implements CompositionConfig {
    /** Sets the defaults. Blocks are ordered by name. */
    public BeforeConfig {
        blocks = blocks == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(blocks));
        output = output == null ? List.of() : List.copyOf(output);
    }
}
