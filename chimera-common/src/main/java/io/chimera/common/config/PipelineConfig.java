package io.chimera.common.config;

import java.util.List;

/** Pipeline: selection of points, aggregation per cycle, and stores of the rows. */
public record PipelineConfig(
        @Doc("Names of the inputs of this pipeline; empty: all.")
        List<String> inputs,

        @Doc("Pattern of the accepted metrics; * matches any text.")
        String where,

        @Doc("Composition before the sharding, in the queue node: stateless blocks.")
        BeforeConfig before,

        @Doc("Composition after the sharding, in the processor, before the aggregation.")
        AfterConfig after,

        @Doc("Grouping of points, and functions per field and cycle.")
        AggregateConfig aggregate,

        @Doc("Names of the stores of the rows.") List<String> stores,

        @Doc("Prefix and tags that distinguish the rows from rows of other pipelines in the same store.")
        RowsConfig rows,

        @Doc("When a cycle counts as stored: at_least_once after the acknowledgement of the stores, exactly_once"
                + " after its rows were also read back.")
        Delivery delivery) {
    /** Delivery guarantee: condition for a cycle to count as stored. */
    public enum Delivery {
        /** The stores acknowledged all rows. */
        AT_LEAST_ONCE,
        /** All rows were read back from the stores. */
        EXACTLY_ONCE
    }

    /** Sets the defaults. */
    public PipelineConfig {
        inputs = inputs == null ? List.of() : List.copyOf(inputs);
        where = where == null ? "*" : where;
        aggregate = aggregate == null ? AggregateConfig.DEFAULT : aggregate;
        stores = stores == null ? List.of() : List.copyOf(stores);
        rows = rows == null ? RowsConfig.NONE : rows;
        delivery = delivery == null ? Delivery.AT_LEAST_ONCE : delivery;
        if ((before != null || after != null) && aggregate.combineAfter() > 0) {
            throw new IllegalArgumentException(
                    "a pipeline accepts blocks (before, after) or aggregate.combine_after, not both");
        }
    }

    /** Creates a pipeline whose rows have no additional prefix and tags. */
    public PipelineConfig(
            List<String> inputs,
            String where,
            BeforeConfig before,
            AfterConfig after,
            AggregateConfig aggregate,
            List<String> stores,
            Delivery delivery) {
        this(inputs, where, before, after, aggregate, stores, null, delivery);
    }

    /** Creates a pipeline without compositions, whose rows have no additional prefix and tags. */
    public PipelineConfig(
            List<String> inputs, String where, AggregateConfig aggregate, List<String> stores, Delivery delivery) {
        this(inputs, where, null, null, aggregate, stores, null, delivery);
    }

    /** Returns a copy with another prefix and other tags of the rows. */
    public PipelineConfig withRows(RowsConfig other) {
        return new PipelineConfig(inputs, where, before, after, aggregate, stores, other, delivery);
    }
}
