package io.chimera.queue.flow;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.common.config.FlowColumn;
import io.chimera.common.config.FlowConfig;
import io.chimera.common.wire.RecordEncoder;
import java.nio.charset.StandardCharsets;

/** Makes a data point of a record, with the tags and fields that are configured. Its time is that of the last packet. One thread. */
public final class FlowPoint {
    private static final int LONG = FieldType.LONG.code();

    private final byte[] metric;
    private final FlowColumn[] tags;
    private final FlowColumn[] fields;
    private final byte[][] tagNames;
    private final byte[][] fieldNames;
    private final int input;
    private final byte[] value = new byte[AddressText.LENGTH_MAX];
    private final byte[] series;

    /**
     * A maker of points.
     *
     * @param config metric, tags and fields
     * @param input ordinal of the input
     */
    public FlowPoint(FlowConfig config, int input) {
        metric = config.metric().getBytes(StandardCharsets.UTF_8);
        tags = config.tags().toArray(FlowColumn[]::new);
        fields = config.fields().toArray(FlowColumn[]::new);
        tagNames = FlowColumns.names(tags);
        fieldNames = FlowColumns.names(fields);
        series = new byte[tags.length * (AddressText.LENGTH_MAX + 1)];
        this.input = input;
    }

    /**
     * Writes a point.
     *
     * @param encoder has room for it, or answers that it has not
     * @return what {@link RecordEncoder#end} says
     */
    @HotPath
    public int write(FlowRecord record, RecordEncoder encoder) {
        encoder.begin();
        int length = 0;
        for (FlowColumn tag : tags) {
            length = FlowColumns.text(tag, record, series, length);
            series[length++] = ',';
        }
        if (!encoder.series(series, 0, length)) {
            encoder.metric(metric, 0, metric.length);
            for (int i = 0; i < tags.length; i++) {
                byte[] name = tagNames[i];
                int end = FlowColumns.text(tags[i], record, value, 0);
                encoder.tag(name, 0, name.length, value, 0, end);
            }
        }
        for (int i = 0; i < fields.length; i++) {
            byte[] name = fieldNames[i];
            if (FlowColumns.isAddress(fields[i])) {
                int end = FlowColumns.text(fields[i], record, value, 0);
                encoder.textField(name, 0, name.length, value, 0, end);
            } else {
                encoder.field(name, 0, name.length, LONG, FlowColumns.number(fields[i], record));
            }
        }
        return encoder.end(record.lastNs(), input);
    }
}
