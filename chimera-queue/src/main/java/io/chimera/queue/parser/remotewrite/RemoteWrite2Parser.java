package io.chimera.queue.parser.remotewrite;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.PointSink;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.parser.protobuf.WireCheck;
import io.chimera.queue.parser.protobuf.WireReader;
import io.chimera.queue.parser.protobuf.WireShape;
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

    static final WireShape SHAPE = new WireShape()
            .message(
                    5,
                    new WireShape()
                            .varints(1)
                            .message(2, new WireShape())
                            .message(3, HistogramShape.SHAPE)
                            .message(4, new WireShape().varints(1))
                            .message(5, new WireShape()));

    /** Maximum number of symbols of a request; a symbol takes 8 bytes of memory and at least 2 of the body. */
    static final int SYMBOLS_MAX = 1 << 20;

    /** Number of symbols with room between two requests: 64 Ki x 8 bytes. */
    private static final int SYMBOLS_KEPT = 1 << 16;

    private static final int SYMBOLS_FIRST = 1 << 10;

    /** Maximum length of an identifying text; the sink does not look up longer texts. */
    private static final int TEXT_LENGTH_MAX = 4 << 10;

    /** Bytes before each symbol of an identifying text: its length. */
    private static final int PREFIX = 2;

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
    private int seriesFrom;
    private int seriesEnd;

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
        isChecked = true;
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
        if (!check.isValid(bytes, from, end, SHAPE)) {
            return RemoteWriteError.NOT_A_MESSAGE;
        }
        boolean hasSeries = false;
        symbolCount = 0;
        request.open(bytes, from, end);
        while (request.next()) {
            hasSeries |= request.tag() == SERIES;
            if (request.tag() == SYMBOL) {
                if (symbolCount == SYMBOLS_MAX) {
                    return RemoteWriteError.TOO_MANY_SYMBOLS;
                }
                if (symbolCount == symbolOffsets.length) {
                    growSymbols();
                }
                symbolOffsets[symbolCount] = request.offset();
                symbolLengths[symbolCount] = request.length();
                symbolCount++;
            }
        }
        boolean isFirstEmpty = symbolCount > 0 ? symbolLengths[0] == 0 : !hasSeries;
        return isFirstEmpty ? null : RemoteWriteError.FIRST_SYMBOL;
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
        LabelSet labels = writer.labels();
        if (!writer.begin(labels.textLength())) {
            return false;
        }
        int length = labels.error() == null ? identify(labels) : 0;
        if (length > 0) {
            writer.ahead(text, 0, length);
        }
        writer.text(text, 0, length);
        describe(labels, from, end);
        return elements(from, end);
    }

    /** Copies the symbols of a series to the identifying text; returns its length, or 0 for too much text. */
    private int identify(LabelSet labels) {
        int needed = PREFIX * (1 + 2 * labels.count()) + labels.textLength();
        if (needed > TEXT_LENGTH_MAX) {
            return 0;
        }
        int at = putLength(0, labels.count());
        for (int i = 0; i < labels.count(); i++) {
            at = put(at, labels.nameOffset(i), labels.nameLength(i));
            at = put(at, labels.valueOffset(i), labels.valueLength(i));
        }
        return at;
    }

    private int put(int at, int offset, int length) {
        int from = putLength(at, length);
        System.arraycopy(bytes, offset, text, from, length);
        return from + length;
    }

    private int putLength(int at, int length) {
        text[at] = (byte) length;
        text[at + 1] = (byte) (length >>> Byte.SIZE);
        return at + PREFIX;
    }

    /** Finds type and start of a series, which stand after its samples. */
    private void describe(LabelSet labels, int from, int end) {
        int type = RemoteWriteRules.TYPE_UNKNOWN;
        long createdMs = 0;
        series.open(bytes, from, end);
        while (series.next()) {
            if (series.tag() == METADATA) {
                type = typeOf(series.offset(), series.length(), type);
            } else if (series.tag() == CREATED) {
                createdMs = series.value();
            }
        }
        writer.kind(type, labels.metricOffset(), labels.metricLength(), createdMs);
    }

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
