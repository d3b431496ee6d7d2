package io.chimera.common.config.pipeline;

import java.util.List;
import java.util.Map;

/** Composition of blocks before or after the sharding. */
public sealed interface CompositionConfig permits BeforeConfig, AfterConfig {
    /** Blocks by name. */
    Map<String, BlockConfig> blocks();

    /** Output gates, as {@link GateRef}s; empty: the output of the blocks without consumers. */
    List<String> output();
}
