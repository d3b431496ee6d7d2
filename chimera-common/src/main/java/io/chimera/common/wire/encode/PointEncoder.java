package io.chimera.common.wire.encode;

import static io.chimera.common.wire.BodyLayout.LENGTH_MAX;
import static io.chimera.common.wire.BodyLayout.TEXT_LENGTH_MAX;
import static io.chimera.common.wire.BodyLayout.VALUES;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.model.HistogramWriter;
import io.chimera.api.spi.PointSink;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.Entries;
import io.chimera.common.wire.HistogramFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Encodes single points, each preceded by its definitions: series, fields, record; see {@link BodyLayout}. Unlike
 * {@link RecordEncoder}, this encoder caches no series and therefore has no bound on the number of series. Not
 * thread-safe; allocates only for learned field sets and larger buffers.
 */
public final class PointEncoder {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);

    private static final int DOUBLE = FieldType.DOUBLE.code();
    private static final int LENGTH_FIRST = 256;

    private final KeyBuilder key = new KeyBuilder();
    private final FieldsBuilder fields = new FieldsBuilder(() -> {});
    private FieldSet set;
    private SeriesFlyweight series;
    private byte[] record = new byte[LENGTH_FIRST];
    private byte[] texts = new byte[0];
    private final UnsafeBuffer histogramBytes = new UnsafeBuffer(texts);
    private final HistogramFlyweight histogram = new HistogramFlyweight();
    private int textsLength;
    private int error;

    /** Creates an encoder without a point. */
    public PointEncoder() {}

    /** Begins a point and drops an unfinished point. */
    @HotPath
    public void begin() {
        series = null;
        textsLength = 0;
        error = PointSink.OK;
        key.begin();
        fields.begin();
    }

    /**
     * Sets a complete series; replaces the calls of {@link #metric} and {@link #tag}.
     *
     * @param whole series definition; must stay valid until the point is written
     */
    @HotPath
    public void series(SeriesFlyweight whole) {
        series = whole;
    }

    /** Sets the metric; must precede the first tag; see {@link PointSink#metric}. */
    @HotPath
    public void metric(byte[] bytes, int offset, int length) {
        key.metric(bytes, offset, length);
    }

    /** Adds a tag; see {@link PointSink#tag}. */
    @HotPath
    public void tag(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        key.tag(name, nameOffset, nameLength, value, valueOffset, valueLength);
    }

    /** Adds a numeric or boolean field; see {@link PointSink#field}. */
    @HotPath
    public void field(byte[] name, int nameOffset, int nameLength, int typeCode, long bits) {
        if (typeCode == DOUBLE && !Double.isFinite(Double.longBitsToDouble(bits))) {
            fail(PointSink.NOT_FINITE);
        }
        int place = VALUES + 8 * fields.count();
        if (fields.add(name, nameOffset, nameLength, typeCode) && (place + 8 <= record.length || growRecord())) {
            LONGS.set(record, place, bits);
        } else {
            fail(PointSink.TOO_LONG);
        }
    }

    /** Adds a text field; see {@link PointSink#textField}. */
    @HotPath
    public void textField(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        bytesField(name, nameOffset, nameLength, FieldType.TEXT, value, valueOffset, valueLength);
    }

    /** Adds a histogram field; see {@link PointSink#histogramField}. */
    @HotPath
    public void histogramField(
            byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        if (valueLength > HistogramWriter.LENGTH_MAX) {
            fail(PointSink.TOO_LONG);
            return;
        }
        histogramBytes.wrap(value);
        if (!histogram.wrap(histogramBytes, valueOffset, valueLength).isWhole()) {
            fail(PointSink.NO_HISTOGRAM);
            return;
        }
        bytesField(name, nameOffset, nameLength, FieldType.HISTOGRAM, value, valueOffset, valueLength);
    }

    private void bytesField(
            byte[] name,
            int nameOffset,
            int nameLength,
            FieldType type,
            byte[] value,
            int valueOffset,
            int valueLength) {
        int padded = BodyLayout.align(valueLength);
        if (valueLength > TEXT_LENGTH_MAX || textsLength + padded > LENGTH_MAX) {
            fail(PointSink.TOO_LONG);
            return;
        }
        if (texts.length < textsLength + padded) {
            texts = Arrays.copyOf(texts, Math.min(LENGTH_MAX, Math.max(textsLength + padded, 2 * texts.length)));
        }
        System.arraycopy(value, valueOffset, texts, textsLength, valueLength);
        Arrays.fill(texts, textsLength + valueLength, textsLength + padded, (byte) 0);
        textsLength += padded;
        field(name, nameOffset, nameLength, type.code(), valueLength);
    }

    private boolean growRecord() {
        if (record.length == LENGTH_MAX) {
            return false;
        }
        record = Arrays.copyOf(record, Math.min(LENGTH_MAX, 2 * record.length));
        return true;
    }

    private void fail(int code) {
        if (error == PointSink.OK) {
            error = code;
        }
    }

    /**
     * Ends the point; a point without error is ready for {@link #write}.
     *
     * @param timeNs time of the point, nanoseconds since 1970
     * @param input ordinal of the input
     * @return length in bytes of the point with its definitions, or a negative code of {@link PointSink}
     */
    @HotPath
    public int end(long timeNs, int input) {
        if (series == null) {
            fail(key.end());
        }
        if (fields.count() == 0) {
            fail(PointSink.NO_FIELD);
        }
        if (timeNs < 0) {
            fail(PointSink.TIME_OUT_OF_RANGE);
        }
        if (error != PointSink.OK) {
            return error;
        }
        FieldSet ended = fields.end();
        if (set != ended) {
            set = ended; // skips the GC write barrier when the reference is unchanged
        }
        int recordLength = VALUES + 8 * fields.count() + textsLength;
        LONGS.set(record, 0, (long) recordLength);
        LONGS.set(record, BodyLayout.TIME_NS, timeNs);
        LONGS.set(record, BodyLayout.INPUT, (long) input);
        int length = seriesLength() + fieldsLength() + recordLength;
        return length > LENGTH_MAX ? PointSink.TOO_LONG : length;
    }

    /** Length in bytes of the series definition, the first entry of the point. */
    public int seriesLength() {
        return series == null ? key.length() : series.length();
    }

    /** Length in bytes of the field-set definition, the second entry of the point. */
    public int fieldsLength() {
        return set.definition().length;
    }

    /**
     * Writes the point after a successful {@link #end}: series definition, field-set definition and record. Both
     * definitions have number 0.
     *
     * @param target buffer with enough room for the point
     * @param offset index of the first byte
     */
    @HotPath
    public void write(MutableDirectBuffer target, int offset) {
        int position = offset;
        if (series == null) {
            target.putBytes(position, key.bytes(), 0, key.length());
        } else {
            target.putBytes(position, series.buffer(), series.offset(), series.length());
            Entries.number(target, position, 0);
        }
        position += seriesLength();
        target.putBytes(position, set.definition());
        Entries.number(target, position, 0);
        position += fieldsLength();
        int valuesEnd = VALUES + 8 * fields.count();
        target.putBytes(position, record, 0, valuesEnd);
        if (textsLength > 0) {
            target.putBytes(position + valuesEnd, texts, 0, textsLength);
        }
    }
}
