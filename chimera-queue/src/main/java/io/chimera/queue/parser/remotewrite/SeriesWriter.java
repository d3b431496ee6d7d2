package io.chimera.queue.parser.remotewrite;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.parser.protobuf.WireReader;
import java.nio.charset.StandardCharsets;

/**
 * Writes the samples of one series as points: field {@code total} for a cumulative series, with {@code start_ms} where
 * the sender tells the start, otherwise field {@code value}. Counts the elements of the request. Not thread-safe;
 * allocates nothing.
 */
final class SeriesWriter {
    /** Field of a sample with its value, both versions: double. */
    private static final int SAMPLE_VALUE = WireReader.tagOf(1, WireReader.FIXED64);

    /** Milliseconds since 1970: int64. */
    private static final int SAMPLE_TIME = WireReader.tagOf(2, WireReader.VARINT);

    /** Start of a cumulative value in milliseconds since 1970, version 2 only: int64. */
    private static final int SAMPLE_START = WireReader.tagOf(3, WireReader.VARINT);

    private static final byte[] VALUE = "value".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TOTAL = "total".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] START_MS = "start_ms".getBytes(StandardCharsets.US_ASCII);

    /** Bits of Prometheus' stale marker, a NaN: the series has ended. */
    static final long STALE = 0x7ff0_0000_0000_0002L;

    /** Text for the sink's estimate besides the labels: the fields {@code total} and {@code start_ms}. */
    private static final int FIELDS_LENGTH = 32;

    private static final long NS_PER_MS = 1_000_000;

    /** Maximum length of the text of a dead letter. */
    private static final int LETTER_LENGTH_MAX = 4 << 10;

    /** Labels of the current series, read only when needed. */
    @FunctionalInterface
    interface Labels {
        /** Passes the labels of the current series to a set, which is open. */
        void readTo(LabelSet set);
    }

    private final RemoteWriteRules rules;
    private final Counters<QueueCounter> counters;
    private final Labels labels;
    private final LabelSet set = new LabelSet();
    private final WireReader sample = new WireReader();
    private final byte[] letter = new byte[LETTER_LENGTH_MAX];
    private final WrittenCounts written = new WrittenCounts();

    private PointSink sink;
    private byte[] bytes;
    private long line;

    /** Text that identifies the series for the sink; length 0 for none. */
    private byte[] text;

    private int textOffset;
    private int textLength;
    private boolean isCumulative;
    private long startMs;

    /** Length of the labels for the sink's estimate. */
    private int room;

    private boolean isRead;

    /** Length of the text of the dead letters of the series; negative before the first dead letter. */
    private int letterLength;

    private boolean isBegun;
    private boolean isSeriesSet;

    SeriesWriter(RemoteWriteRules rules, Counters<QueueCounter> counters, Labels labels) {
        this.rules = rules;
        this.counters = counters;
        this.labels = labels;
    }

    /** Begins or resumes a request. */
    @HotPath
    void open(byte[] body, PointSink target) {
        if (bytes != body) {
            bytes = body;
        }
        sink = target;
    }

    /** Ends a request, of which nothing is left to write. */
    void release() {
        written.clear();
        set.release();
        sample.release();
        sink = null;
        bytes = null;
        text = null;
    }

    WrittenCounts written() {
        return written;
    }

    /** Begins or resumes a series, by its number in the request, from 1. */
    @HotPath
    void series(long newLine) {
        line = newLine;
        isRead = false;
        letterLength = -1;
    }

    /**
     * Begins a point.
     *
     * @param length length of the labels in bytes
     * @return false when the sink has no room
     */
    @HotPath
    boolean begin(int length) {
        room = length;
        isSeriesSet = false;
        isBegun = sink.begin(length + FIELDS_LENGTH);
        return isBegun;
    }

    /**
     * Compares the beginning of a text with the series that the sink expects next.
     *
     * @return length of the text of the series; -1 for an unexpected series
     */
    @HotPath
    int ahead(byte[] source, int from, int end) {
        int length = sink.seriesAhead(source, from, end);
        isSeriesSet = length >= 0;
        return length;
    }

    /** Sets the text that identifies the series, including a terminator; length 0 for a series without such a text. */
    @HotPath
    void text(byte[] source, int offset, int length) {
        if (length > 0) {
            room = length;
        } else if (isSeriesSet) {
            isSeriesSet = false;
            isBegun = false; // the sink has taken the series of a shorter text
        }
        if (text != source) {
            text = source; // conditional, because writing a reference costs a GC barrier
        }
        textOffset = offset;
        textLength = length;
    }

    /**
     * Sets the properties of the samples.
     *
     * @param type number of the type in the metadata; 0 without metadata
     * @param newStartMs start of all cumulative samples, milliseconds since 1970; 0 when unknown
     */
    @HotPath
    void kind(int type, int metricOffset, int metricLength, long newStartMs) {
        isCumulative = rules.isCumulative(type, bytes, metricOffset, metricLength);
        startMs = newStartMs;
    }

    /** Labels of the current series. */
    LabelSet labels() {
        if (!isRead) {
            set.open(bytes);
            labels.readTo(set);
            isRead = true;
        }
        return set;
    }

    /** Writes a sample; returns false when the sink has no room. */
    @HotPath
    boolean sample(int offset, int length) {
        if (PlainSample.is(bytes, offset, offset + length)) {
            long time = PlainSample.timeMs(bytes, offset, offset + length);
            return sample(PlainSample.bits(bytes, offset), time, startMs);
        }
        long bits = 0;
        long timeMs = 0;
        long sampleStartMs = startMs;
        sample.open(bytes, offset, offset + length);
        while (sample.next()) {
            int tag = sample.tag();
            if (tag == SAMPLE_VALUE) {
                bits = sample.value();
            } else if (tag == SAMPLE_TIME) {
                timeMs = sample.value();
            } else if (tag == SAMPLE_START && sample.value() != 0) {
                sampleStartMs = sample.value();
            }
        }
        return sample(bits, timeMs, sampleStartMs);
    }

    private boolean sample(long bits, long timeMs, long sampleStartMs) {
        boolean isFinite = Double.isFinite(Double.longBitsToDouble(bits));
        if (!isBegun && !begin(room)) {
            return false;
        }
        RemoteWriteError error = isSeriesSet ? null : setSeries();
        isBegun = false;
        isSeriesSet = false;
        if (error != null) {
            reject(error.text());
        } else if (isFinite) {
            point(bits, timeMs, sampleStartMs);
        } else {
            notFinite(bits);
        }
        return true;
    }

    /** Sets the series of the begun point; returns the defect of its labels, or null. */
    private RemoteWriteError setSeries() {
        if (textLength > 0 && sink.series(text, textOffset, textLength)) {
            return null;
        }
        RemoteWriteError error = labels().check();
        if (error == null) {
            set.writeTo(sink);
        }
        return error;
    }

    private void point(long bits, long timeMs, long sampleStartMs) {
        if (isCumulative) {
            sink.field(TOTAL, 0, TOTAL.length, FieldType.DOUBLE.code(), bits);
            if (sampleStartMs != 0) {
                sink.field(START_MS, 0, START_MS.length, FieldType.LONG.code(), sampleStartMs);
            }
        } else {
            sink.field(VALUE, 0, VALUE.length, FieldType.DOUBLE.code(), bits);
        }
        // the sink rejects negative times
        sink.time(timeMs > Long.MAX_VALUE / NS_PER_MS || timeMs < 0 ? -1 : timeMs * NS_PER_MS);
        int ended = sink.end();
        if (ended == PointSink.OK) {
            written.addSample();
        } else {
            reject(PointSink.reasonOf(ended));
        }
    }

    private void notFinite(long bits) {
        if (bits == STALE) {
            counters.increment(QueueCounter.REMOTE_WRITE_STALE);
            written.addSample();
        } else if (rules.rejectsNotFinite()) {
            reject(RemoteWriteError.NOT_FINITE.text());
        } else {
            counters.increment(QueueCounter.REMOTE_WRITE_NOT_FINITE);
            written.addSample();
        }
    }

    /** Rejects a native histogram. */
    void rejectHistogram() {
        counters.increment(QueueCounter.REMOTE_WRITE_HISTOGRAMS_REJECTED);
        reject(RemoteWriteError.HISTOGRAM.text());
    }

    /** Accepts exemplars of the series without storing them; exemplars of a series with bad labels do not count. */
    @HotPath
    void dropExemplars(int count) {
        if (labels().check() == null) {
            counters.add(QueueCounter.REMOTE_WRITE_EXEMPLARS_IGNORED, count);
            written.addExemplars(count);
        }
    }

    private void reject(String reason) {
        if (letterLength < 0) {
            letterLength = labels().render(letter);
        }
        sink.reject(letter, 0, letterLength, line, reason);
    }
}
