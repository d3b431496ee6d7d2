package io.chimera.common.wire;

import io.chimera.api.ColdPath;
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

/** Decodes records and keys to immutable values, for the control plane, the tools and the flusher. */
public final class RecordDecoder {
    private RecordDecoder() {}

    /** Decodes the current record of a reader. */
    public static DataPoint point(BodyReader body) {
        return point(key(body.seriesOfRecord()), body.fieldsOfRecord(), body.record());
    }

    /** Decodes a record with its series key and field-set definition. */
    public static DataPoint point(SeriesKey key, FieldsFlyweight definition, RecordFlyweight record) {
        Map<String, Object> fields = new LinkedHashMap<>();
        int field = definition.first();
        int bytes = record.firstBytes(definition.count());
        for (int i = 0; i < definition.count(); i++) {
            FieldType type = FieldType.ofCode(definition.type(field));
            fields.put(
                    text(definition.buffer(), definition.name(field), definition.nameLength(field)),
                    value(record, i, type, bytes));
            bytes = FieldType.isBytes(type.code()) ? RecordFlyweight.nextBytes(bytes, record.bits(i)) : bytes;
            field = definition.next(field);
        }
        return new DataPoint(key, fields, record.timeNs());
    }

    /** Decodes the key of a series definition. */
    @ColdPath
    public static SeriesKey key(SeriesFlyweight series) {
        return key(series.buffer(), series.keyOffset(), series.tagCount());
    }

    /** Decodes the bytes of a key with {@code tagCount} tags. */
    @ColdPath
    public static SeriesKey key(DirectBuffer buffer, int offset, int tagCount) {
        SeriesFlyweight walker = new SeriesFlyweight().wrap(buffer, offset - BodyLayout.KEY);
        TreeMap<String, String> tags = new TreeMap<>();
        int tag = walker.firstTag();
        for (int i = tagCount; i > 0; i--) {
            int value = walker.tagValue(tag);
            tags.put(text(buffer, tag + 2, walker.sizeAt(tag)), text(buffer, value + 2, walker.sizeAt(value)));
            tag = walker.nextTag(tag);
        }
        return new SeriesKey(text(buffer, offset + 2, walker.sizeAt(offset)), new Tags(tags));
    }

    /** Decodes UTF-8 text from a buffer; invalid bytes become U+FFFD. */
    @ColdPath
    public static String text(DirectBuffer buffer, int offset, int length) {
        byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static Object value(RecordFlyweight record, int n, FieldType type, int bytes) {
        long bits = record.bits(n);
        return switch (type) {
            case LONG -> bits;
            case UNSIGNED -> new BigInteger(Long.toUnsignedString(bits));
            case DOUBLE -> Double.longBitsToDouble(bits);
            case BOOLEAN -> bits != 0;
            case TEXT -> text(record.buffer(), bytes, (int) bits);
            case HISTOGRAM ->
                new HistogramFlyweight()
                        .wrap(record.buffer(), bytes, (int) bits)
                        .toString();
        };
    }
}
