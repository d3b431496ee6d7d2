package io.chimera.common.config.pipeline;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import java.util.List;

/** Pipeline: selection of points, aggregation per cycle, and stores of the rows. */
public record PipelineConfig(
        @Doc("Names of the inputs of this pipeline; empty: all.") @Default
        List<String> inputs,

        @Doc("Pattern of the accepted metrics; * matches any text.") @Default("*")
        String where,

        @Doc("Composition before the sharding, in the queue node: stateless blocks.")
        BeforeConfig before,

        @Doc("Composition after the sharding, in the processor, before the aggregation.")
        AfterConfig after,

        @Doc("Grouping of points, and functions per field and cycle.") @Default
        AggregateConfig aggregate,

        @Doc("Names of the stores of the rows.") @Default List<String> stores,

        @Doc("Prefix and tags that distinguish the rows from rows of other pipelines in the same store.") @Default
        RowsConfig rows,

        @Doc("When a cycle counts as stored: at_least_once after the acknowledgement of the stores, exactly_once"
                + " after its rows were also read back.")
        @Default("at_least_once")
        Delivery delivery) {
    /** Delivery guarantee: condition for a cycle to count as stored. */
    public enum Delivery {
        /** The stores acknowledged all rows. */
        AT_LEAST_ONCE,
        /** All rows were read back from the stores. */
        EXACTLY_ONCE
    }

    /** Checks the values. */
    public PipelineConfig {
        if ((before != null || after != null) && aggregate.combineAfter() > 0) {
            throw new IllegalArgumentException(
                    "a pipeline accepts blocks (before, after) or aggregate.combine_after, not both");
        }
    }

    /** Returns a copy with another prefix and other tags of the rows. */
    public PipelineConfig withRows(RowsConfig other) {
        return new PipelineConfig(inputs, where, before, after, aggregate, stores, other, delivery);
    }
}
