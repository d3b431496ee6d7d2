package io.chimera.queue.ipfix;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import io.chimera.common.config.FlowColumn;
import io.chimera.common.config.FlowConfig;
import io.chimera.queue.flow.AddressText;
import io.chimera.queue.flow.FlowColumns;
import io.chimera.queue.flow.FlowRecord;
import java.util.List;
import java.util.stream.Stream;

/**
 * Makes a data point of a flow, with the tags and fields that are configured. What only an exporter knows is left out; whoever knows it
 * adds it between {@link #begin} and {@link #end}. One thread; allocates nothing.
 */
final class RecordPoint {
    private static final int LONG = FieldType.LONG.code();

    private final byte[] metric;
    private final FlowColumn[] tags;
    private final byte[][] tagNames;
    private final FlowColumn[] fields;
    private final byte[][] fieldNames;
    private final int textLength;
    private final byte[] text = new byte[AddressText.LENGTH_MAX];

    /** Makes points as configured. */
    RecordPoint(FlowConfig config) {
        metric = config.metric().getBytes(UTF_8);
        tags = ofFlow(config.tags());
        tagNames = FlowColumns.names(tags);
        fields = ofFlow(config.fields());
        fieldNames = FlowColumns.names(fields);
        textLength = metric.length
                + Stream.concat(config.tags().stream(), config.fields().stream())
                        .mapToInt(column -> column.name().length() + AddressText.LENGTH_MAX)
                        .sum();
    }

    private static FlowColumn[] ofFlow(List<FlowColumn> columns) {
        return columns.stream().filter(column -> !column.isOfExporter()).toArray(FlowColumn[]::new);
    }

    /**
     * Begins a point: its metric and tags. Other tags may follow.
     *
     * @param record the flow
     * @param sink takes the point
     * @param otherLength bytes of text that are added beside the configured columns, at most
     * @return false when there is no room now
     */
    @HotPath
    boolean begin(FlowRecord record, PointSink sink, int otherLength) {
        if (!sink.begin(textLength + otherLength)) {
            return false;
        }
        sink.metric(metric, 0, metric.length);
        for (int i = 0; i < tags.length; i++) {
            int length = FlowColumns.text(tags[i], record, text, 0);
            sink.tag(tagNames[i], 0, tagNames[i].length, text, 0, length);
        }
        return true;
    }

    /**
     * Ends a point, with its fields and its time. Other fields came before.
     *
     * @param record the flow
     * @param sink takes the point
     * @return {@link PointSink#OK}, or a negative code
     */
    @HotPath
    int end(FlowRecord record, PointSink sink) {
        for (int i = 0; i < fields.length; i++) {
            FlowColumn column = fields[i];
            if (FlowColumns.isAddress(column)) {
                int length = FlowColumns.text(column, record, text, 0);
                sink.textField(fieldNames[i], 0, fieldNames[i].length, text, 0, length);
            } else {
                sink.field(fieldNames[i], 0, fieldNames[i].length, LONG, FlowColumns.number(column, record));
            }
        }
        sink.time(record.lastNs());
        return sink.end();
    }
}
