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
 * Encodes data points one after the other into a body: metric, then tags, then fields; see {@link BodyLayout}.
 * Definitions precede the first record with a reference to them. The encoder caches series and field sets across
 * bodies, so a point of a known series costs only comparisons and the copy of its values. The caches are bounded by 20
 * MiB for series and 5 MiB for field sets. Not thread-safe; allocates only for learned series and field sets and larger
 * buffers.
 */
public final class RecordEncoder {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);

    private static final int DOUBLE = FieldType.DOUBLE.code();
    private static final int LENGTH_FIRST = 1024;

    private final KeyBuilder key = new KeyBuilder();
    private final KnownSeries known = new KnownSeries();
    private final FieldsBuilder fields = new FieldsBuilder(known::forgetFields);
    private final SeriesGate gate;
    private final SeriesFlyweight unknown = new SeriesFlyweight();

    /** Current record; bytes after its values are garbage. */
    private byte[] record = new byte[LENGTH_FIRST];

    /** Padded texts of the current record. */
    private byte[] texts = new byte[0];

    private final UnsafeBuffer histogramBytes = new UnsafeBuffer(texts);
    private final HistogramFlyweight histogram = new HistogramFlyweight();

    private int textsLength;

    private MutableDirectBuffer buffer;
    private int position;
    private int limit;

    /** Number of the current body, counted from 1 by this encoder. */
    private long body;

    private int seriesDefined;
    private int fieldsDefined;

    /** Whether the text lookup found the series of the point. */
    private boolean isFound;

    private byte[] text;
    private int textOffset;
    private int textLength;
    private int error;

    /** Creates an encoder without a target buffer. */
    public RecordEncoder() {
        this(SeriesGate.ALL);
    }

    /** Creates an encoder with a gate for new series. */
    public RecordEncoder(SeriesGate gate) {
        this.gate = gate;
    }

    /** Drops all cached series; the gate then decides again about each series. Call only between two bodies. */
    public void forgetSeries() {
        known.forget();
    }

    /**
     * Begins a body.
     *
     * @param target target buffer
     * @param offset index of the first byte, a multiple of 8
     * @param newLimit index after the last usable byte; a RESET must fit
     */
    @HotPath
    public void open(MutableDirectBuffer target, int offset, int newLimit) {
        if (buffer != target) {
            buffer = target; // skips the GC write barrier when the reference is unchanged
        }
        limit = newLimit;
        body++;
        seriesDefined = 0;
        fieldsDefined = 0;
        Entries.putReset(target, offset);
        position = offset + BodyLayout.RESET_LENGTH;
    }

    /** Index after the last entry of the body. */
    public int position() {
        return position;
    }

    /** Drops the reference to the source array of the last point. The body may continue with another point. */
    public void release() {
        text = null;
    }

    /** Begins a point and drops an unfinished point. */
    @HotPath
    public void begin() {
        isFound = false;
        textLength = 0;
        textsLength = 0;
        error = PointSink.OK;
        key.begin();
        fields.begin();
    }

    /** See {@link PointSink#seriesAhead}. */
    @HotPath
    public int seriesAhead(byte[] bytes, int offset, int end) {
        int length = known.ahead(bytes, offset, end);
        if (length >= 0) {
            found();
        }
        return length;
    }

    /** See {@link PointSink#series}. */
    @HotPath
    public boolean series(byte[] bytes, int offset, int length) {
        if (known.find(bytes, offset, length)) {
            found();
            return true;
        }
        text = bytes;
        textOffset = offset;
        textLength = length;
        return false;
    }

    private void found() {
        isFound = true;
        fields.guess(known.fields(known.found()));
    }

    /** Sets the metric; see {@link PointSink#metric}. */
    @HotPath
    public void metric(byte[] bytes, int offset, int length) {
        key.metric(bytes, offset, length);
    }

    /** Adds a tag; see {@link PointSink#tag}. */
    @HotPath
    public void tag(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        key.tag(name, nameOffset, nameLength, value, valueOffset, valueLength);
    }

    /** See {@link PointSink#fieldAhead}. */
    @HotPath
    public int fieldAhead(byte[] bytes, int offset, int end) {
        return fields.ahead(bytes, offset, end);
    }

    /** Adds a numeric or boolean field; see {@link PointSink#field}. */
    @HotPath
    public void field(byte[] name, int nameOffset, int nameLength, int typeCode, long bits) {
        if (typeCode == DOUBLE && !Double.isFinite(Double.longBitsToDouble(bits))) {
            fail(PointSink.NOT_FINITE);
        }
        value(name, nameOffset, nameLength, typeCode, bits);
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
        if (padded > 0) {
            LONGS.set(texts, textsLength + padded - Long.BYTES, 0L);
        }
        System.arraycopy(value, valueOffset, texts, textsLength, valueLength);
        textsLength += padded;
        value(name, nameOffset, nameLength, type.code(), valueLength);
    }

    private void value(byte[] name, int nameOffset, int nameLength, int typeCode, long bits) {
        int place = VALUES + 8 * fields.count();
        if (fields.add(name, nameOffset, nameLength, typeCode) && (place + 8 <= record.length || growRecord())) {
            LONGS.set(record, place, bits);
        } else {
            fail(PointSink.TOO_LONG);
        }
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
     * Ends the point: writes the missing definitions and the record.
     *
     * @param timeNs time of the point, nanoseconds since 1970
     * @param input ordinal of the input
     * @return {@link PointSink#OK}, or a negative code with nothing written
     */
    @HotPath
    public int end(long timeNs, int input) {
        if (!isFound) {
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
        if (!isFound && !known.knows(key) && !gate.admits(unknown.wrap(key.buffer(), 0))) {
            return PointSink.TOO_MANY_SERIES;
        }
        int series = isFound ? known.found() : known.learn(key, text, textOffset, textLength);
        FieldSet set = fields.end();
        int valuesEnd = VALUES + 8 * fields.count();
        int length = valuesEnd + textsLength;
        int needed = length
                + (known.isDefinedIn(series, body) ? 0 : known.definitionLength(series))
                + (set.isDefinedIn(body) ? 0 : set.definition().length);
        if (needed > Math.min(limit - position, LENGTH_MAX)
                || Math.max(seriesDefined, fieldsDefined) == BodyLayout.DEFINITIONS_MAX) {
            return PointSink.TOO_LONG;
        }
        known.fields(series, set);
        define(series, set);
        LONGS.set(record, 0, length | (long) set.number() << 32 | (long) known.number(series) << 48);
        LONGS.set(record, BodyLayout.TIME_NS, timeNs);
        LONGS.set(record, BodyLayout.INPUT, (long) input);
        buffer.putBytes(position, record, 0, valuesEnd);
        if (textsLength > 0) {
            buffer.putBytes(position + valuesEnd, texts, 0, textsLength);
        }
        position += length;
        return PointSink.OK;
    }

    private void define(int series, FieldSet set) {
        if (!known.isDefinedIn(series, body)) {
            known.define(series, body, seriesDefined);
            known.putDefinition(series, buffer, position);
            number(seriesDefined++, known.definitionLength(series));
        }
        if (!set.isDefinedIn(body)) {
            set.define(body, fieldsDefined);
            buffer.putBytes(position, set.definition());
            number(fieldsDefined++, set.definition().length);
        }
    }

    /** Numbers the definition at the current position and advances past the definition. */
    private void number(int number, int length) {
        Entries.number(buffer, position, number);
        position += length;
    }
}
