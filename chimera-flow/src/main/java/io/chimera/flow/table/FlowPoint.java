package io.chimera.flow.table;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import io.chimera.common.config.FlowColumn;
import io.chimera.common.config.FlowConfig;
import java.nio.charset.StandardCharsets;

/**
 * Converts a captured or exported flow to a data point with the configured tags and fields. The point's time is the
 * time of the last packet. Used by one thread; allocates nothing.
 */
public final class FlowPoint {
    /** Result of {@link #write}: the sink is full and nothing was written. */
    public static final int NO_ROOM = 1;

    private static final int LONG = FieldType.LONG.code();

    /** Bytes of {@code element_4294967295_32767=} and a number. */
    private static final int OTHER_LENGTH = 48;

    private final byte[] metric;
    private final FlowColumn[] tags;
    private final FlowColumn[] fields;
    private final byte[][] tagNames;
    private final byte[][] fieldNames;
    private final int textLength;
    private final byte[] text = new byte[FlowColumns.TEXT_LENGTH_MAX];

    /** Tag values, each followed by a comma, and their end indexes. */
    private final byte[] series;

    private final int[] ends;

    /** Creates a converter for the configured tags and fields. */
    public FlowPoint(FlowConfig config) {
        metric = config.metric().getBytes(StandardCharsets.UTF_8);
        tags = config.tags().toArray(FlowColumn[]::new);
        fields = config.fields().toArray(FlowColumn[]::new);
        tagNames = FlowColumns.names(tags);
        fieldNames = FlowColumns.names(fields);
        series = new byte[tags.length * (FlowColumns.TEXT_LENGTH_MAX + 1)];
        ends = new int[tags.length];
        textLength = metric.length + FlowColumns.textLength(tags) + FlowColumns.textLength(fields);
    }

    /**
     * Writes a flow as a point.
     *
     * @param record the flow
     * @param origin metadata of the flow
     * @param sink receives the point
     * @return {@link PointSink#OK}, {@link #NO_ROOM}, or a negative code of {@link PointSink#end}
     */
    @HotPath
    public int write(FlowRecord record, FlowOrigin origin, PointSink sink) {
        int others = origin.others();
        if (!sink.begin(textLength + others * OTHER_LENGTH)) {
            return NO_ROOM;
        }
        putSeries(record, origin, sink);
        for (int i = 0; i < fields.length; i++) {
            byte[] name = fieldNames[i];
            if (FlowColumns.isText(fields[i])) {
                int length = FlowColumns.text(fields[i], record, origin, text, 0);
                sink.textField(name, 0, name.length, text, 0, length);
            } else {
                sink.field(name, 0, name.length, LONG, FlowColumns.number(fields[i], record, origin));
            }
        }
        for (int i = 0; i < others; i++) {
            byte[] name = origin.otherName(i);
            sink.field(name, 0, name.length, LONG, origin.otherValue(i));
        }
        sink.time(record.lastNs());
        return sink.end();
    }

    private void putSeries(FlowRecord record, FlowOrigin origin, PointSink sink) {
        int length = 0;
        for (int i = 0; i < tags.length; i++) {
            length = FlowColumns.text(tags[i], record, origin, series, length);
            ends[i] = length;
            series[length++] = ',';
        }
        if (sink.series(series, 0, length)) {
            return;
        }
        sink.metric(metric, 0, metric.length);
        int begin = 0;
        for (int i = 0; i < tags.length; i++) {
            byte[] name = tagNames[i];
            sink.tag(name, 0, name.length, series, begin, ends[i] - begin);
            begin = ends[i] + 1;
        }
    }
}
