package io.chimera.common.config.pipeline;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Composition before the sharding. */
public record BeforeConfig(
        @Doc("Blocks, by name.") @Default Map<String, BlockConfig> blocks,

        @Doc("Output of the composition: input, a block (its first gate) or block.gate; empty: the first gate of"
                + " each block without consumers.")
        @Default
        List<String> output)
        implements CompositionConfig {
    /** Orders the blocks by name. */
    public BeforeConfig {
        blocks = Collections.unmodifiableMap(new TreeMap<>(blocks));
    }
}
