package io.chimera.queue.flow;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import io.chimera.common.config.FlowColumn;
import io.chimera.common.config.FlowConfig;
import java.nio.charset.StandardCharsets;

/**
 * Makes a data point of a flow, with the tags and fields that are configured, whether it was captured or told by an exporter. Its time
 * is that of the last packet. One thread; allocates nothing.
 */
public final class FlowPoint {
    /** Result of {@link #write}: the sink has no room now, and nothing was done. */
    public static final int NO_ROOM = 1;

    private static final int LONG = FieldType.LONG.code();

    /** {@code element_4294967295_32767=} and a number. */
    private static final int OTHER_LENGTH = 48;

    private final byte[] metric;
    private final FlowColumn[] tags;
    private final FlowColumn[] fields;
    private final byte[][] tagNames;
    private final byte[][] fieldNames;
    private final int textLength;
    private final byte[] text = new byte[FlowColumns.TEXT_LENGTH_MAX];

    /** The values of the tags, each with a comma behind it, and where each ends. */
    private final byte[] series;

    private final int[] ends;

    /** Makes points as configured. */
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
     * Hands a point over.
     *
     * @param record the flow
     * @param origin what is known beside it
     * @param sink takes the point
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
