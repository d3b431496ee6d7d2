package io.chimera.queue.parser.remotewrite;

import io.chimera.api.HotPath;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.PointSink;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.parser.protobuf.WireCheck;
import io.chimera.queue.parser.protobuf.WireReader;
import io.chimera.queue.parser.protobuf.WireShape;

/**
 * Parses {@code prometheus.WriteRequest}, the message of remote write 1.0:
 *
 * <pre>
 *   WriteRequest  1 timeseries*, 3 metadata*
 *   TimeSeries    1 labels*, 2 samples*, 3 exemplars*, 4 histograms*
 *   Label         1 name, 2 value
 *   Sample        1 value (double), 2 timestamp (ms)
 * </pre>
 *
 * <p>A malformed message is rejected as a whole, before its first point. The bytes of the labels identify a series for
 * the sink, so the labels of a known series are not read. A label with an empty value equals a missing label, as in
 * Prometheus. Needs the whole message: chunks before the last chunk are left unconsumed.
 */
public final class RemoteWrite1Parser implements RemoteWriteParser {
    private static final int SERIES = WireReader.tagOf(1, WireReader.LENGTH);
    private static final int LABEL = WireReader.tagOf(1, WireReader.LENGTH);
    private static final int SAMPLE = WireReader.tagOf(2, WireReader.LENGTH);
    private static final int EXEMPLAR = WireReader.tagOf(3, WireReader.LENGTH);
    private static final int HISTOGRAM = WireReader.tagOf(4, WireReader.LENGTH);
    private static final int NAME = WireReader.tagOf(1, WireReader.LENGTH);
    private static final int VALUE = WireReader.tagOf(2, WireReader.LENGTH);

    private static final int METADATA = WireReader.tagOf(3, WireReader.LENGTH);

    private static final WireShape METADATA_SHAPE = new WireShape();
    private static final WireShape SERIES_SHAPE = new WireShape()
            .message(1, new WireShape())
            .message(2, new WireShape())
            .message(3, new WireShape().message(1, new WireShape()))
            .message(4, HistogramShape.SHAPE);

    /** Length of a label without its texts: the tags and lengths of name and value. */
    private static final int LABEL_OVERHEAD = 4;

    /** Tag and length of a message of less than 128 bytes. */
    private static final int HEADER = 2;

    private final WireCheck check = new WireCheck();
    private final WireReader request = new WireReader();
    private final WireReader elements = new WireReader();
    private final WireReader series = new WireReader();
    private final WireReader label = new WireReader();
    private final SeriesWriter writer;

    private byte[] bytes;
    private boolean isChecked;

    /** Range of the current series. */
    private int seriesFrom;

    private int seriesEnd;

    /** Number of samples of the current series that were written before the sink was full. */
    private int samplesDone;

    // Label that was read last.
    private int nameOffset;
    private int nameLength;
    private int valueOffset;
    private int valueLength;

    /** Creates a parser in its initial state. */
    public RemoteWrite1Parser(RemoteWriteRules rules, Counters<QueueCounter> counters) {
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
        label.release();
        writer.release();
        bytes = null;
        isChecked = false;
        samplesDone = 0;
    }

    @Override
    @HotPath
    public boolean parse(Chunk chunk, PointSink sink) {
        if (!chunk.last() || chunk.isEmpty()) {
            return true;
        }
        bytes = chunk.bytes();
        if (!isChecked && !isValid(chunk.offset(), chunk.limit())) {
            RemoteWriteParser.rejectBody(chunk, sink, RemoteWriteError.NOT_A_MESSAGE);
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

    private boolean isValid(int from, int end) {
        request.open(bytes, from, end);
        while (request.next()) {
            int part = request.offset();
            int partEnd = part + request.length();
            boolean isSeries = request.tag() == SERIES;
            boolean isGood = isSeries
                    ? isValidSeries(part, partEnd)
                    : request.tag() != METADATA || check.isValid(bytes, part, partEnd, METADATA_SHAPE, 1);
            if (!isGood) {
                return false;
            }
        }
        return !request.isBroken();
    }

    private boolean isValidSeries(int from, int end) {
        int at = endOfPlainLabels(from, end);
        return isOneSample(at, end) || check.isValid(bytes, at, end, SERIES_SHAPE, 1);
    }

    /** Returns whether a range is one sample, as nearly always after the labels. */
    private boolean isOneSample(int from, int end) {
        return end - from > HEADER
                && bytes[from] == SAMPLE
                && bytes[from + 1] == end - from - HEADER
                && PlainSample.is(bytes, from + HEADER, end);
    }

    /**
     * Returns the index after the leading labels with less than 128 bytes, name before value and nothing else. Such
     * labels are valid.
     */
    private int endOfPlainLabels(int from, int end) {
        int at = from;
        while (isPlainLabel(at, end)) {
            at += HEADER + bytes[at + 1];
        }
        return at;
    }

    private boolean isPlainLabel(int from, int end) {
        if (end - from < HEADER + LABEL_OVERHEAD || bytes[from] != LABEL || bytes[from + HEADER] != NAME) {
            return false;
        }
        int length = bytes[from + 1];
        int name = bytes[from + HEADER + 1];
        int rest = length - LABEL_OVERHEAD - name;
        if (length > end - from - HEADER || name < 0 || rest < 0) {
            return false;
        }
        int value = from + HEADER + 2 + name;
        return bytes[value] == VALUE && bytes[value + 1] == rest;
    }

    /** Writes the samples of a series; returns false when the sink is full. */
    private boolean series(long line, int from, int end) {
        seriesFrom = from;
        seriesEnd = end;
        writer.series(line);
        if (!writer.begin(end - from)) {
            return false;
        }
        int known = writer.ahead(bytes, from, end);
        int labelsEnd = known > 0 ? from + known - 1 : endOfLabels(from, end);
        boolean isSimple = isOneSample(labelsEnd, end);
        boolean isIdentified = isSimple || (labelsEnd < end && !hasLabel(labelsEnd, end));
        // the text ends with the tag after the labels, so a series with more labels has another text
        writer.text(bytes, from, isIdentified ? labelsEnd + 1 - from : 0);
        findMetric(from, isIdentified ? labelsEnd : end);
        writer.kind(RemoteWriteRules.TYPE_UNKNOWN, valueOffset, valueLength, 0);
        return isSimple
                ? writer.sample(labelsEnd + HEADER, end - labelsEnd - HEADER)
                : elements(isIdentified ? labelsEnd : from, end);
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
        return histograms(from, end);
    }

    private boolean histograms(int from, int end) {
        elements.open(bytes, from, end);
        while (elements.next()) {
            if (elements.tag() == HISTOGRAM) {
                writer.rejectHistogram();
            }
        }
        return true;
    }

    /** Returns the index after the labels at the beginning of a series. */
    private int endOfLabels(int from, int end) {
        int at = endOfPlainLabels(from, end);
        series.open(bytes, at, end);
        while (at < end && bytes[at] == LABEL && series.next()) {
            at = series.position();
        }
        return at;
    }

    private boolean hasLabel(int from, int end) {
        series.open(bytes, from, end);
        while (series.next()) {
            if (series.tag() == LABEL) {
                return true;
            }
        }
        return false;
    }

    /** Reads labels up to the metric, usually the first label; without a metric the length of the value becomes 0. */
    private void findMetric(int from, int end) {
        int name = from + HEADER + 2;
        if (isPlainLabel(from, end) && LabelSet.isMetric(bytes, name, bytes[name - 1])) {
            valueOffset = name + bytes[name - 1] + 2;
            valueLength = bytes[valueOffset - 1];
            return;
        }
        series.open(bytes, from, end);
        while (series.next()) {
            if (series.tag() == LABEL) {
                readLabel(series.offset(), series.length());
                if (LabelSet.isMetric(bytes, nameOffset, nameLength)) {
                    return;
                }
            }
        }
        valueLength = 0;
    }

    private void readLabels(LabelSet set) {
        series.open(bytes, seriesFrom, seriesEnd);
        while (series.next()) {
            if (series.tag() == LABEL) {
                readLabel(series.offset(), series.length());
                if (valueLength > 0) {
                    set.add(nameOffset, nameLength, valueOffset, valueLength);
                }
            }
        }
    }

    private void readLabel(int offset, int length) {
        nameOffset = offset;
        nameLength = 0;
        valueOffset = offset;
        valueLength = 0;
        label.open(bytes, offset, offset + length);
        while (label.next()) {
            if (label.tag() == NAME) {
                nameOffset = label.offset();
                nameLength = label.length();
            } else if (label.tag() == VALUE) {
                valueOffset = label.offset();
                valueLength = label.length();
            }
        }
    }
}
