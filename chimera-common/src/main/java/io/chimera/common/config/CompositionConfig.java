package io.chimera.common.config;

import java.util.List;
import java.util.Map;

/** Blocks that are put together: a composition ahead of the shard or behind it. */
public sealed interface CompositionConfig permits BeforeConfig, AfterConfig {
    /** The blocks, by name. */
    Map<String, BlockConfig> blocks();

    /** What leaves the composition, as {@link GateRef}s; empty: whatever leaves a block from which no other takes. */
    List<String> output();
}
