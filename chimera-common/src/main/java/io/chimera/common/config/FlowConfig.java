package io.chimera.common.config;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import io.chimera.common.config.binding.Sections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Conversion of a flow to a data point. The time of the point is the time of the last packet. */
public record FlowConfig(
        @Doc("Metric of the points.") @Default("flow") String metric,

        @Doc("Columns written as tags. Each combination of their values is a separate series: with"
                + " addresses or ports as tags, the senders of packets determine the number of series.")
        @Default("protocol")
        List<FlowColumn> tags,

        @Doc("Columns written as fields: numbers, and addresses as texts.")
        @Default({
            "src",
            "dst",
            "src_port",
            "dst_port",
            "packets",
            "bytes",
            "reverse_packets",
            "reverse_bytes",
            "duration_ms",
            "tcp_flags",
            "reverse_tcp_flags",
            "end_reason"
        })
        List<FlowColumn> fields) {
    /** Default: protocol as the only tag. */
    public static final FlowConfig DEFAULT = Sections.of(FlowConfig.class);

    /** Checks the values. */
    public FlowConfig {
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
