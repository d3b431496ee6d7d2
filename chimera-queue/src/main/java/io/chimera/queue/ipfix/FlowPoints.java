package io.chimera.queue.ipfix;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import io.chimera.common.config.FlowColumn;
import io.chimera.common.config.FlowConfig;
import io.chimera.queue.flow.AddressText;
import io.chimera.queue.flow.FlowColumns;
import java.util.List;

/** Makes data points of flows that came over the network: what {@link RecordPoint} does, and what only exporters know. One thread. */
final class FlowPoints {
    /** The sink has no room now: nothing was done. */
    static final int NO_ROOM = 1;

    private static final int LONG = FieldType.LONG.code();

    /** {@code element_4294967295_32767=} and a number. */
    private static final int OTHER_LENGTH = 48;

    private final RecordPoint point;
    private final FlowColumn[] tags;
    private final FlowColumn[] fields;
    private final byte[][] tagNames;
    private final byte[][] fieldNames;
    private final byte[] text = new byte[AddressText.LENGTH_MAX];

    /** Makes points as configured. */
    FlowPoints(FlowConfig config) {
        point = new RecordPoint(config);
        tags = ofExporter(config.tags());
        fields = ofExporter(config.fields());
        tagNames = FlowColumns.names(tags);
        fieldNames = FlowColumns.names(fields);
    }

    private static FlowColumn[] ofExporter(List<FlowColumn> columns) {
        return columns.stream().filter(FlowColumn::isOfExporter).toArray(FlowColumn[]::new);
    }

    /**
     * Hands a point over.
     *
     * @param flow what the point is made of
     * @param exporter whose flow it is
     * @param sink takes it
     * @return {@link PointSink#OK}, {@link #NO_ROOM}, or a negative code of {@link PointSink#end}
     */
    @HotPath
    int put(DecodedFlow flow, Exporter exporter, PointSink sink) {
        if (!point.begin(flow.record(), sink, flow.others() * OTHER_LENGTH)) {
            return NO_ROOM;
        }
        for (int i = 0; i < tags.length; i++) {
            byte[] name = tagNames[i];
            if (tags[i] == FlowColumn.EXPORTER) {
                sink.tag(name, 0, name.length, exporter.host(), 0, exporter.host().length);
            } else {
                int length = FlowColumns.decimal(number(tags[i], flow, exporter), text, 0);
                sink.tag(name, 0, name.length, text, 0, length);
            }
        }
        for (int i = 0; i < fields.length; i++) {
            byte[] name = fieldNames[i];
            if (fields[i] == FlowColumn.EXPORTER) {
                sink.textField(name, 0, name.length, exporter.host(), 0, exporter.host().length);
            } else {
                sink.field(name, 0, name.length, LONG, number(fields[i], flow, exporter));
            }
        }
        for (int i = 0; i < flow.others(); i++) {
            byte[] name = flow.otherName(i);
            sink.field(name, 0, name.length, LONG, flow.otherValue(i));
        }
        return point.end(flow.record(), sink);
    }

    private static long number(FlowColumn column, DecodedFlow flow, Exporter exporter) {
        return switch (column) {
            case DOMAIN -> exporter.domain();
            case INGRESS_INTERFACE -> flow.ingressInterface;
            case EGRESS_INTERFACE -> flow.egressInterface;
            case CLASS_OF_SERVICE -> flow.classOfService;
            case SRC_AS -> flow.sourceAs;
            case DST_AS -> flow.destinationAs;
            case SAMPLING_INTERVAL -> flow.samplingInterval;
            default -> 0; // of the flow itself: not asked for
        };
    }
}
