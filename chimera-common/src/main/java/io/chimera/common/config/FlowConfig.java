package io.chimera.common.config;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Conversion of a flow to a data point. The time of the point is the time of the last packet. */
public record FlowConfig(
        @Doc("Metric of the points.") String metric,

        @Doc("Columns written as tags. Each combination of their values is a separate series: with"
                + " addresses or ports as tags, the senders of packets determine the number of series.")
        List<FlowColumn> tags,

        @Doc("Columns written as fields: numbers, and addresses as texts.")
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
                .that(!fields.isEmpty(), "fields", fields, "at least one, because a point needs a field")
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
