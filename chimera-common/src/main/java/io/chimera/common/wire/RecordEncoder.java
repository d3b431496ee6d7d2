package io.chimera.common.wire;

import static io.chimera.common.wire.BodyLayout.LENGTH_MAX;
import static io.chimera.common.wire.BodyLayout.TEXT_LENGTH_MAX;
import static io.chimera.common.wire.BodyLayout.VALUES;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.agrona.MutableDirectBuffer;

/**
 * Writes data points into a body, one after the other: metric, then tags, then fields; see {@link BodyLayout}.
 * Definitions go ahead of the first record that needs them. Series and sets of fields are remembered from body to body,
 * so that a point whose series came before costs comparisons and its values. What is remembered is bounded by 20 MiB of
 * series and 5 MiB of fields. Not thread-safe; allocates nothing but what it learns.
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

    /** The record being put together; what is behind its values is rubbish. */
    private byte[] record = new byte[LENGTH_FIRST];

    /** The texts of the record, each padded. */
    private byte[] texts = new byte[0];

    private int textsLength;

    private MutableDirectBuffer buffer;
    private int position;
    private int limit;

    /** Number of the body, counted by this encoder from 1. */
    private long body;

    private int seriesDefined;
    private int fieldsDefined;

    /** Whether the series of the point was found by its text. */
    private boolean isFound;

    private byte[] text;
    private int textOffset;
    private int textLength;
    private int error;

    /** An encoder that has nothing to write to yet. */
    public RecordEncoder() {
        this(SeriesGate.ALL);
    }

    /** An encoder that asks before it learns a series. */
    public RecordEncoder(SeriesGate gate) {
        this.gate = gate;
    }

    /** Forgets all series, so that the gate is asked for each of them again. Between two bodies. */
    public void forgetSeries() {
        known.forget();
    }

    /**
     * Begins a body.
     *
     * @param target where it is written
     * @param offset index of its first byte, a multiple of 8
     * @param newLimit index behind the last byte that may be used; there is room for a RESET
     */
    @HotPath
    public void open(MutableDirectBuffer target, int offset, int newLimit) {
        if (buffer != target) {
            buffer = target; // a reference that is written costs the garbage collector's barrier
        }
        limit = newLimit;
        body++;
        seriesDefined = 0;
        fieldsDefined = 0;
        Entries.putReset(target, offset);
        position = offset + BodyLayout.RESET_LENGTH;
    }

    /** Index behind the last entry of the body. */
    public int position() {
        return position;
    }

    /** Lets go of the array that the last point came from. The body may go on with another point. */
    public void release() {
        text = null;
    }

    /** Begins a point, dropping one that was begun and not ended. */
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

    /** Adds a number or a truth value; see {@link PointSink#field}. */
    @HotPath
    public void field(byte[] name, int nameOffset, int nameLength, int typeCode, long bits) {
        if (typeCode == DOUBLE && !Double.isFinite(Double.longBitsToDouble(bits))) {
            fail(PointSink.NOT_FINITE);
        }
        value(name, nameOffset, nameLength, typeCode, bits);
    }

    /** Adds a text; see {@link PointSink#textField}. */
    @HotPath
    public void textField(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
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
        value(name, nameOffset, nameLength, FieldType.TEXT.code(), valueLength);
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
     * Ends the point: writes what has to be defined, and the record.
     *
     * @param timeNs time of the point, nanoseconds since 1970
     * @param input ordinal of the input
     * @return {@link PointSink#OK}, or a negative code: nothing was written then
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

    /** Gives the definition that was just written its number, and steps over it. */
    private void number(int number, int length) {
        Entries.number(buffer, position, number);
        position += length;
    }
}
