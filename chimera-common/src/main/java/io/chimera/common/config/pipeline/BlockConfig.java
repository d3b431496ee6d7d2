package io.chimera.common.config.pipeline;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import io.chimera.common.config.binding.Settings;
import java.util.List;

/** Block of a composition. The block type defines its function and the remaining keys. */
public record BlockConfig(
        @Doc(
                "Block type: copy, drop, increase, keep, rename, threshold, or the name of a plugin. The type defines the other"
                        + " keys.")
        @Default
        String type,

        @Doc("Sources of the points: input, a block (its first gate) or block.gate; one or a list.")
        @Default(GateRef.INPUT)
        List<String> from,

        @Doc("Execution: direct, by a call on the thread of the source block, or queued, on a thread of" + " its own.")
        @Default("direct")
        Edge edge,

        @Doc("Core for the thread of a queued block, counted from 0.")
        Integer cpu,

        @Doc("Threads of a queued block and of the blocks that follow by direct edges.") @Default
        BlockThreadsConfig threads,

        Settings settings) {
    /** Execution of a block. */
    public enum Edge {
        /** Direct call on the thread of the source block. */
        DIRECT,
        /** Bounded queue, with a thread of its own. */
        QUEUED
    }

    /** Checks the values. */
    public BlockConfig {
        new Requirements()
                .that(cpu == null || cpu >= 0, "cpu", cpu, "the number of a core, 0 or more")
                .that(cpu == null || edge == Edge.QUEUED, "cpu", cpu, "no cpu without edge: queued")
                .that(cpu == null || threads.pool() == 1, "cpu", cpu, "no cpu with threads.pool")
                .that(
                        threads.pool() == 1 || edge == Edge.QUEUED,
                        "threads.pool",
                        threads.pool(),
                        "no pool without edge: queued")
                .check();
    }

    /** Parsed source gates. */
    public List<GateRef> sources() {
        return from.stream().map(GateRef::parse).toList();
    }
}
