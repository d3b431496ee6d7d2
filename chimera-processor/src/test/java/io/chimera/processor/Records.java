package io.chimera.processor;

import io.chimera.api.model.FieldType;
import io.chimera.common.wire.RecordEncoder;
import io.chimera.common.wire.RecordFlyweight;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;

/** Flat records for tests, made the way a parser makes them. One thread. */
public final class Records {

    private static final RecordEncoder ENCODER = new RecordEncoder();

    private Records() {}

    /** A record at index 0 of a buffer of its own. */
    public static RecordFlyweight of(String metric, Map<String, String> tags, Map<String, ?> fields, long timeNs) {
        int textLength =
                metric.length() + tags.toString().length() + fields.toString().length();
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[1024 + 2 * textLength]);
        int length = encode(buffer, 0, metric, tags, fields, timeNs);
        byte[] exact = new byte[length];
        buffer.getBytes(0, exact);
        return new RecordFlyweight().wrap(new UnsafeBuffer(exact), 0);
    }

    /** Writes a record and returns its length. */
    public static int encode(
            UnsafeBuffer target,
            int offset,
            String metric,
            Map<String, String> tags,
            Map<String, ?> fields,
            long timeNs) {
        RecordEncoder encoder = ENCODER;
        encoder.begin(target, offset, target.capacity() - offset);
        byte[] name = bytes(metric);
        encoder.metric(name, 0, name.length);
        new TreeMap<>(tags).forEach((key, value) -> {
            byte[] tag = bytes(key);
            byte[] text = bytes(value);
            encoder.tag(tag, 0, tag.length, text, 0, text.length);
        });
        fields.forEach((key, value) -> field(encoder, bytes(key), value));
        int length = encoder.end(timeNs, 0);
        if (length < 0) {
            throw new IllegalArgumentException("Code " + length + " for " + metric + tags + fields + ".");
        }
        return length;
    }

    private static void field(RecordEncoder encoder, byte[] name, Object value) {
        if (value instanceof Double number) {
            encoder.field(name, 0, name.length, FieldType.DOUBLE.code(), Double.doubleToRawLongBits(number));
        } else if (value instanceof Long number) {
            encoder.field(name, 0, name.length, FieldType.LONG.code(), number);
        } else if (value instanceof Unsigned number) {
            encoder.field(name, 0, name.length, FieldType.UNSIGNED.code(), number.bits());
        } else if (value instanceof Boolean truth) {
            encoder.field(name, 0, name.length, FieldType.BOOLEAN.code(), truth ? 1 : 0);
        } else {
            byte[] text = bytes((String) value);
            encoder.textField(name, 0, name.length, text, 0, text.length);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** An unsigned value. */
    public record Unsigned(long bits) {}
}
