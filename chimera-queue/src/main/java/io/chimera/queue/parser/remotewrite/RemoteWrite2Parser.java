package io.chimera.queue.parser.remotewrite;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.PointSink;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.parser.protobuf.WireCheck;
import io.chimera.queue.parser.protobuf.WireReader;
import io.chimera.queue.parser.protobuf.WireShape;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Parses {@code io.prometheus.write.v2.Request}, the message of remote write 2.0:
 *
 * <pre>
 *   Request     4 symbols*, 5 timeseries*
 *   TimeSeries  1 labels_refs*, 2 samples*, 3 histograms*, 4 exemplars*, 5 metadata, 6 created_timestamp (ms)
 *   Sample      1 value (double), 2 timestamp (ms), 3 start_timestamp (ms)
 *   Metadata    1 type, 3 help_ref, 4 unit_ref
 * </pre>
 *
 * <p>Accepts both generations of senders: field 6 of a series up to 2.0-rc.3, field 3 of a sample from rc.4 on. A
 * malformed message, and a message whose first symbol is not empty, is rejected as a whole before its first point. The
 * symbols of a series, copied one after the other, identify the series for the sink. Needs the whole message: chunks
 * before the last chunk are left unconsumed.
 */
public final class RemoteWrite2Parser implements RemoteWriteParser {
    private static final int SYMBOL = WireReader.tagOf(4, WireReader.LENGTH);
    private static final int SERIES = WireReader.tagOf(5, WireReader.LENGTH);
    private static final int REFERENCES = WireReader.tagOf(1, WireReader.LENGTH);
    private static final int REFERENCE = WireReader.tagOf(1, WireReader.VARINT);
    private static final int SAMPLE = WireReader.tagOf(2, WireReader.LENGTH);
    private static final int HISTOGRAM = WireReader.tagOf(3, WireReader.LENGTH);
    private static final int EXEMPLAR = WireReader.tagOf(4, WireReader.LENGTH);
    private static final int METADATA = WireReader.tagOf(5, WireReader.LENGTH);
    private static final int CREATED = WireReader.tagOf(6, WireReader.VARINT);
    private static final int TYPE = WireReader.tagOf(1, WireReader.VARINT);

    private static final WireShape PLAIN_SHAPE = new WireShape();
    private static final WireShape EXEMPLAR_SHAPE = new WireShape().varints(1);

    /** Maximum number of symbols of a request; a symbol takes 8 bytes of memory and at least 2 of the body. */
    static final int SYMBOLS_MAX = 1 << 20;

    /** Number of symbols with room between two requests: 64 Ki x 8 bytes. */
    private static final int SYMBOLS_KEPT = 1 << 16;

    private static final int SYMBOLS_FIRST = 1 << 10;

    /** Maximum length of an identifying text; the sink does not look up longer texts. */
    private static final int TEXT_LENGTH_MAX = 4 << 10;

    /** Bytes before each symbol of an identifying text: its length. */
    private static final int PREFIX = 2;

    /** Bytes copied at once for a short symbol. */
    private static final int COPY_REACH = 2 * Long.BYTES;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);

    private final WireCheck check = new WireCheck();
    private final WireReader request = new WireReader();
    private final WireReader elements = new WireReader();
    private final WireReader series = new WireReader();
    private final WireReader part = new WireReader();
    private final byte[] text = new byte[TEXT_LENGTH_MAX];
    private final SeriesWriter writer;

    private byte[] bytes;
    private boolean isChecked;
    private int[] symbolOffsets = new int[SYMBOLS_FIRST];
    private int[] symbolLengths = new int[SYMBOLS_FIRST];
    private int symbolCount;

    /** Index of the first field with a series; the symbols are usually before this field. */
    private int firstSeries;

    private int seriesFrom;
    private int seriesEnd;

    // Parts of the current series.
    private int references;
    private int referencesEnd;
    private int firstSample;
    private int firstSampleLength;
    private int sampleCount;
    private int type;
    private long createdMs;
    private int metricOffset;
    private int metricLength;

    /** Whether all label references are in one array, as from every known sender. */
    private boolean isPlain;

    /** Whether the series has exemplars, histograms or unknown fields. */
    private boolean hasOthers;

    /** Number of samples of the current series that were written before the sink was full. */
    private int samplesDone;

    /** Symbol of a label's name, while the reference of its value is missing. */
    private int pendingName;

    /** Creates a parser in its initial state. */
    public RemoteWrite2Parser(RemoteWriteRules rules, Counters<QueueCounter> counters) {
        writer = new SeriesWriter(rules, counters, this::readLabels);
    }

    @Override
    public WrittenCounts written() {
        return writer.written();
    }

    @Override
    public void reset() {
        check.release();
        request.release();
        elements.release();
        series.release();
        part.release();
        writer.release();
        bytes = null;
        isChecked = false;
        samplesDone = 0;
        symbolCount = 0;
        if (symbolOffsets.length > SYMBOLS_KEPT) {
            symbolOffsets = new int[SYMBOLS_KEPT];
            symbolLengths = new int[SYMBOLS_KEPT];
        }
    }

    @Override
    @HotPath
    public boolean parse(Chunk chunk, PointSink sink) {
        if (!chunk.last() || chunk.isEmpty()) {
            return true;
        }
        bytes = chunk.bytes();
        RemoteWriteError error = isChecked ? null : check(chunk.offset(), chunk.limit());
        if (error != null) {
            RemoteWriteParser.rejectBody(chunk, sink, error);
            return true;
        }
        if (!isChecked) {
            isChecked = true;
            chunk.consumedTo(firstSeries, 0);
        }
        writer.open(bytes, sink);
        request.open(bytes, chunk.offset(), chunk.limit());
        while (request.next()) {
            boolean isSeries = request.tag() == SERIES;
            if (isSeries && !series(chunk.line(), request.offset(), request.offset() + request.length())) {
                return false;
            }
            chunk.consumedTo(request.position(), isSeries ? 1 : 0);
        }
        return true;
    }

    /** Checks a message and finds its symbols, wherever they stand; returns the defect, or null. */
    private RemoteWriteError check(int from, int end) {
        symbolCount = 0;
        firstSeries = end;
        request.open(bytes, from, end);
        for (int at = from; request.next(); at = request.position()) {
            if (request.tag() == SYMBOL) {
                if (symbolCount == SYMBOLS_MAX) {
                    return RemoteWriteError.TOO_MANY_SYMBOLS;
                }
                addSymbol(request.offset(), request.length());
            } else if (request.tag() == SERIES) {
                firstSeries = Math.min(firstSeries, at);
                if (!isValidSeries(request.offset(), request.offset() + request.length())) {
                    return RemoteWriteError.NOT_A_MESSAGE;
                }
            }
        }
        if (request.isBroken()) {
            return RemoteWriteError.NOT_A_MESSAGE;
        }
        boolean isFirstEmpty = symbolCount > 0 ? symbolLengths[0] == 0 : firstSeries == end;
        return isFirstEmpty ? null : RemoteWriteError.FIRST_SYMBOL;
    }

    private boolean isValidSeries(int from, int end) {
        series.open(bytes, from, end);
        while (series.next()) {
            int tag = series.tag();
            int part = series.offset();
            int partEnd = part + series.length();
            boolean isGood = tag == REFERENCES
                    ? WireCheck.areVarints(bytes, part, partEnd)
                    : tag == SAMPLE
                            ? PlainSample.is(bytes, part, partEnd)
                                    || check.isValid(bytes, part, partEnd, PLAIN_SHAPE, 2)
                            : isValidOther(tag, part, partEnd);
            if (!isGood) {
                return false;
            }
        }
        return !series.isBroken();
    }

    private boolean isValidOther(int tag, int from, int end) {
        WireShape shape = tag == METADATA
                ? PLAIN_SHAPE
                : tag == HISTOGRAM ? HistogramShape.SHAPE : tag == EXEMPLAR ? EXEMPLAR_SHAPE : null;
        return shape == null || check.isValid(bytes, from, end, shape, 2);
    }

    private void addSymbol(int offset, int length) {
        if (symbolCount == symbolOffsets.length) {
            growSymbols();
        }
        symbolOffsets[symbolCount] = offset;
        symbolLengths[symbolCount] = length;
        symbolCount++;
    }

    @ColdPath
    private void growSymbols() {
        symbolOffsets = Arrays.copyOf(symbolOffsets, 2 * symbolCount);
        symbolLengths = Arrays.copyOf(symbolLengths, 2 * symbolCount);
    }

    /** Writes the samples of a series; returns false when the sink is full. */
    private boolean series(long line, int from, int end) {
        seriesFrom = from;
        seriesEnd = end;
        writer.series(line);
        scan(from, end);
        int length = isPlain ? identify(references, referencesEnd) : 0;
        int labelsLength = length > 0 ? length : writer.labels().textLength();
        if (!writer.begin(labelsLength)) {
            return false;
        }
        if (length > 0) {
            writer.ahead(text, 0, length);
        } else {
            metricOffset = writer.labels().metricOffset();
            metricLength = writer.labels().metricLength();
        }
        writer.text(text, 0, length);
        writer.kind(type, metricOffset, metricLength, createdMs);
        boolean isSimple = isPlain && sampleCount == 1 && !hasOthers;
        return isSimple ? writer.sample(firstSample, firstSampleLength) : elements(from, end);
    }

    /** Finds the parts of a series; type and start stand after the samples. */
    private void scan(int from, int end) {
        type = RemoteWriteRules.TYPE_UNKNOWN;
        createdMs = 0;
        sampleCount = 0;
        hasOthers = false;
        isPlain = false;
        int arrays = 0;
        boolean isSplit = false;
        series.open(bytes, from, end);
        while (series.next()) {
            int tag = series.tag();
            if (tag == SAMPLE) {
                firstSample = series.offset();
                firstSampleLength = series.length();
                sampleCount++;
            } else if (tag == REFERENCES) {
                references = series.offset();
                referencesEnd = references + series.length();
                arrays++;
            } else if (tag == METADATA) {
                type = typeOf(series.offset(), series.length(), type);
            } else if (tag == CREATED) {
                createdMs = series.value();
            } else {
                isSplit |= tag == REFERENCE;
                hasOthers = true;
            }
        }
        isPlain = arrays == 1 && !isSplit;
    }

    /**
     * Copies the symbols of a series to the identifying text, and finds the metric.
     *
     * @return length of the text; 0 for a series with bad labels, without a metric or with too much text
     */
    private int identify(int from, int end) {
        metricLength = 0;
        int at = PREFIX;
        int count = 0;
        boolean isMetric = false;
        int i = from;
        while (i < end) {
            int symbol = bytes[i] & 0x7F;
            for (int shift = 7; bytes[i++] < 0; shift += 7) { // the message is checked: each varint has an end
                symbol |= shift < Integer.SIZE ? (bytes[i] & 0x7F) << shift : 0;
            }
            if (symbol < 0 || symbol >= symbolCount) {
                return 0;
            }
            int length = symbolLengths[symbol];
            int offset = symbolOffsets[symbol];
            if (length + PREFIX + COPY_REACH > TEXT_LENGTH_MAX - at) {
                return 0;
            }
            if ((count++ & 1) == 0) {
                isMetric = LabelSet.isMetric(bytes, offset, length);
            } else if (isMetric) {
                metricOffset = offset;
                metricLength = length;
            }
            at = put(at, offset, length);
        }
        text[0] = (byte) count;
        text[1] = (byte) (count >>> Byte.SIZE);
        return (count & 1) == 0 && metricLength > 0 ? at : 0;
    }

    /** Copies a symbol with its length, a short one as two words. */
    private int put(int at, int offset, int length) {
        text[at] = (byte) length;
        text[at + 1] = (byte) (length >>> Byte.SIZE);
        int from = at + PREFIX;
        if (length <= COPY_REACH && bytes.length - offset >= COPY_REACH) {
            LONGS.set(text, from, (long) LONGS.get(bytes, offset));
            LONGS.set(text, from + Long.BYTES, (long) LONGS.get(bytes, offset + Long.BYTES));
        } else {
            System.arraycopy(bytes, offset, text, from, length);
        }
        return from + length;
    }

    /** Returns the type in metadata; without a type the type of earlier metadata of the series. */
    private int typeOf(int offset, int length, int before) {
        int type = before;
        part.open(bytes, offset, offset + length);
        while (part.next()) {
            if (part.tag() == TYPE) {
                type = (int) part.value();
            }
        }
        return type;
    }

    private boolean elements(int from, int end) {
        int exemplars = 0;
        int samples = 0;
        elements.open(bytes, from, end);
        while (elements.next()) {
            int tag = elements.tag();
            if (tag == SAMPLE && samples++ >= samplesDone) {
                if (!writer.sample(elements.offset(), elements.length())) {
                    return false;
                }
                samplesDone = samples;
            } else if (tag == EXEMPLAR) {
                exemplars++;
            }
        }
        samplesDone = 0;
        if (exemplars > 0) {
            writer.dropExemplars(exemplars);
        }
        elements.open(bytes, from, end);
        while (elements.next()) {
            if (elements.tag() == HISTOGRAM) {
                writer.rejectHistogram();
            }
        }
        return true;
    }

    private void readLabels(LabelSet set) {
        pendingName = -1;
        series.open(bytes, seriesFrom, seriesEnd);
        while (series.next()) {
            if (series.tag() == REFERENCES) {
                part.open(bytes, series.offset(), series.offset() + series.length());
                while (part.nextElement()) {
                    reference((int) part.value(), set);
                }
            } else if (series.tag() == REFERENCE) {
                reference((int) series.value(), set);
            }
        }
        if (pendingName >= 0) {
            set.fail(RemoteWriteError.ODD_REFERENCES);
        }
    }

    private void reference(int symbol, LabelSet set) {
        if (symbol < 0 || symbol >= symbolCount) {
            set.fail(RemoteWriteError.BAD_REFERENCE);
        } else if (pendingName < 0) {
            pendingName = symbol;
        } else {
            set.add(
                    symbolOffsets[pendingName],
                    symbolLengths[pendingName],
                    symbolOffsets[symbol],
                    symbolLengths[symbol]);
            pendingName = -1;
        }
    }
}
