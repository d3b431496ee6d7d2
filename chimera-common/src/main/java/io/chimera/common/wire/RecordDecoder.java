package io.chimera.common.wire;

import io.chimera.api.model.DataPoint;
import io.chimera.api.model.FieldType;
import io.chimera.api.model.SeriesKey;
import io.chimera.api.model.Tags;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;

/** Makes immutable values of records and keys, for the control plane, the tools and the flusher. */
public final class RecordDecoder {
    private RecordDecoder() {}

    /** The data point in a whole record. */
    public static DataPoint point(RecordFlyweight record) {
        Map<String, Object> fields = new LinkedHashMap<>();
        int field = record.firstField();
        for (int i = record.fieldCount(); i > 0; i--) {
            fields.put(
                    text(record.buffer(), record.fieldName(field), record.fieldNameLength(field)),
                    value(record, field));
            field = record.nextField(field);
        }
        return new DataPoint(key(record.buffer(), record.keyOffset(), record.tagCount()), fields, record.timeNs());
    }

    /** The series key in the bytes of a key, which {@code tagCount} tags follow the metric of. */
    public static SeriesKey key(DirectBuffer buffer, int offset, int tagCount) {
        RecordFlyweight walker = new RecordFlyweight().wrap(buffer, offset - RecordLayout.HEADER_LENGTH);
        TreeMap<String, String> tags = new TreeMap<>();
        int tag = walker.firstTag();
        for (int i = tagCount; i > 0; i--) {
            int value = walker.tagValue(tag);
            tags.put(text(buffer, tag + 2, walker.sizeAt(tag)), text(buffer, value + 2, walker.sizeAt(value)));
            tag = walker.nextTag(tag);
        }
        return new SeriesKey(text(buffer, offset + 2, walker.sizeAt(offset)), new Tags(tags));
    }

    /** UTF-8 text in a buffer; bytes that are not UTF-8 become U+FFFD. */
    public static String text(DirectBuffer buffer, int offset, int length) {
        byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static Object value(RecordFlyweight record, int field) {
        long bits = record.fieldBits(field);
        return switch (FieldType.ofCode(record.fieldType(field))) {
            case LONG -> bits;
            case UNSIGNED -> new BigInteger(Long.toUnsignedString(bits));
            case DOUBLE -> Double.longBitsToDouble(bits);
            case BOOLEAN -> bits != 0;
            case TEXT ->
                text(
                        record.buffer(),
                        record.fieldName(field) + record.fieldNameLength(field),
                        record.fieldTextLength(field));
        };
    }
}
