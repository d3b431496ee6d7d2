package io.chimera.common.config;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Conversion of a flow to a data point. The time of the point is the time of the last packet. */
public record FlowConfig(
        @Doc("Metric of the points.") String metric,

        @Doc("What becomes tags. Each combination of their values is a series of its own: with"
                + " addresses or ports among them, whoever sends packets decides how many series there are.")
        List<FlowColumn> tags,

        @Doc("What becomes fields: numbers, and the addresses as texts.")
        List<FlowColumn> fields) {
    /** Default: protocol as the only tag. */
    public static final FlowConfig DEFAULT = new FlowConfig(null, null, null);

    /** Sets the defaults. */
    public FlowConfig {
        metric = metric == null ? "flow" : metric;
        tags = tags == null ? List.of(FlowColumn.PROTOCOL) : List.copyOf(tags);
        fields = fields == null
                ? List.of(
                        FlowColumn.SRC,
                        FlowColumn.DST,
                        FlowColumn.SRC_PORT,
                        FlowColumn.DST_PORT,
                        FlowColumn.PACKETS,
                        FlowColumn.BYTES,
                        FlowColumn.REVERSE_PACKETS,
                        FlowColumn.REVERSE_BYTES,
                        FlowColumn.DURATION_MS,
                        FlowColumn.TCP_FLAGS,
                        FlowColumn.REVERSE_TCP_FLAGS,
                        FlowColumn.END_REASON)
                : List.copyOf(fields);
        Set<FlowColumn> both = new HashSet<>(tags);
        both.addAll(fields);
        new Requirements()
                .that(!metric.isEmpty(), "metric", metric, "a name")
                .that(!fields.isEmpty(), "fields", fields, "at least one: a point has a field")
                .that(
                        both.size() == tags.size() + fields.size(),
                        "fields",
                        fields,
                        "each name once, as a tag or as a field")
                .check();
    }

    /** Returns whether the configuration contains columns provided only by exporters. */
    public boolean isOfExporter() {
        return tags.stream().anyMatch(FlowColumn::isOfExporter)
                || fields.stream().anyMatch(FlowColumn::isOfExporter);
    }
}
