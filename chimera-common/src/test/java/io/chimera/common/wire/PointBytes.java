package io.chimera.common.wire;

import io.chimera.api.model.FieldType;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.MutableDirectBuffer;

/** A data point for tests, that an encoder can be given in any order of its tags. */
public final class PointBytes {
    private final byte[] metric;
    private final List<byte[][]> tags = new ArrayList<>();
    private final Map<String, Object> fields = new LinkedHashMap<>();
    private long timeNs;

    /** A point with a metric only. */
    public PointBytes(String metric) {
        this.metric = utf8(metric);
    }

    /** Adds a tag behind the others. */
    public PointBytes tag(String name, String value) {
        tags.add(new byte[][] {utf8(name), utf8(value)});
        return this;
    }

    /** Adds a field: a Long, Double, Boolean, String or BigInteger. */
    public PointBytes field(String name, Object value) {
        fields.put(name, value);
        return this;
    }

    /** Sets the time. */
    public PointBytes time(long newTimeNs) {
        timeNs = newTimeNs;
        return this;
    }

    /**
     * Writes the point as the only one of a body.
     *
     * @return bytes of the body, or the negative code of {@link RecordEncoder#end}
     */
    public int encode(RecordEncoder encoder, MutableDirectBuffer buffer, int offset, int capacity) {
        encoder.open(buffer, offset, offset + capacity);
        int ended = encode(encoder);
        return ended < 0 ? ended : encoder.position() - offset;
    }

    /** Writes the point into the encoder's body; returns what {@link RecordEncoder#end} says. */
    public int encode(RecordEncoder encoder) {
        encoder.begin();
        encoder.metric(metric, 0, metric.length);
        for (byte[][] tag : tags) {
            encoder.tag(tag[0], 0, tag[0].length, tag[1], 0, tag[1].length);
        }
        fields.forEach((name, value) -> encodeField(encoder, utf8(name), value));
        return encoder.end(timeNs, 7);
    }

    private static void encodeField(RecordEncoder encoder, byte[] name, Object value) {
        if (value instanceof String text) {
            byte[] bytes = utf8(text);
            encoder.textField(name, 0, name.length, bytes, 0, bytes.length);
        } else if (value instanceof Long number) {
            encoder.field(name, 0, name.length, FieldType.LONG.code(), number);
        } else if (value instanceof Double number) {
            encoder.field(name, 0, name.length, FieldType.DOUBLE.code(), Double.doubleToRawLongBits(number));
        } else if (value instanceof Boolean truth) {
            encoder.field(name, 0, name.length, FieldType.BOOLEAN.code(), truth ? 1 : 0);
        } else {
            encoder.field(name, 0, name.length, FieldType.UNSIGNED.code(), ((BigInteger) value).longValue());
        }
    }

    /** Name of the metric. */
    public String metric() {
        return new String(metric, StandardCharsets.UTF_8);
    }

    /** The tags in order of their names. */
    public Map<String, String> tags() {
        Map<String, String> map = new TreeMap<>();
        tags.forEach(
                tag -> map.put(new String(tag[0], StandardCharsets.UTF_8), new String(tag[1], StandardCharsets.UTF_8)));
        return map;
    }

    /** The fields in their order. */
    public Map<String, Object> fields() {
        return fields;
    }

    /** The time. */
    public long timeNs() {
        return timeNs;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
