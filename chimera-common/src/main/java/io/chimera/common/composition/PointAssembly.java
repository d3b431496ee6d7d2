package io.chimera.common.composition;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.model.HistogramWriter;
import io.chimera.api.spi.PointBuilder;
import io.chimera.api.spi.PointSink;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.common.wire.encode.PointEncoder;
import org.agrona.DirectBuffer;

/**
 * Builds the points of one block. Metric and tags are buffered until the end of the point, because only the complete
 * point shows which inherited tags are replaced; fields are encoded immediately. Single-threaded; allocates only to
 * grow buffers and to learn field sets.
 */
final class PointAssembly implements PointBuilder {
    private static final int UNSET = -1;

    private final Emissions emissions;
    private final PointEncoder encoder = new PointEncoder();

    /** Metric, tag names and tag values, followed by name and text of the current field. */
    private final Utf8Scratch scratch = new Utf8Scratch();

    /** Copy of the input point's key: source of the inherited metric and tags. */
    private byte[] inherited = new byte[256];

    /** Copy of a histogram of the input point. */
    private final byte[] histogram = new byte[HistogramWriter.LENGTH_MAX];

    private int metricAt;
    private int metricLength;
    private final int[] nameAt = new int[PointSink.TAGS_MAX];
    private final int[] valueAt = new int[PointSink.TAGS_MAX];
    private final int[] valueEnd = new int[PointSink.TAGS_MAX];
    private int tagCount;
    private boolean isSeriesTaken;
    private boolean isOpen;
    private int gate;
    private long timeNs;
    private String wrong;

    PointAssembly(Emissions emissions) {
        this.emissions = emissions;
    }

    /** Begins a point for a gate. */
    @HotPath
    PointBuilder begin(int newGate, long defaultTimeNs) {
        gate = newGate;
        timeNs = defaultTimeNs;
        scratch.rewind(0);
        tagCount = 0;
        metricLength = UNSET;
        isSeriesTaken = false;
        isOpen = true;
        wrong = null;
        encoder.begin();
        return this;
    }

    /** Drops the unfinished point. */
    void drop() {
        isOpen = false;
    }

    @Override
    public PointBuilder series() {
        isSeriesTaken = true;
        return this;
    }

    @Override
    @HotPath
    public PointBuilder metric(CharSequence metric) {
        metricAt = scratch.used();
        metricLength = scratch.add(metric);
        if (metricLength <= 0) {
            wrong = "its metric is empty or too long";
        }
        return this;
    }

    @Override
    @HotPath
    public PointBuilder tag(CharSequence name, CharSequence value) {
        if (tagCount == PointSink.TAGS_MAX) {
            wrong = "it has too many tags";
            return this;
        }
        nameAt[tagCount] = scratch.used();
        int nameLength = scratch.add(name);
        valueAt[tagCount] = scratch.used();
        int valueLength = scratch.add(value);
        valueEnd[tagCount] = scratch.used();
        if (nameLength <= 0 || valueLength <= 0) {
            wrong = "name or value of a tag is empty or too long";
        }
        tagCount++;
        return this;
    }

    @Override
    @HotPath
    public PointBuilder field(CharSequence name, double value) {
        return field(name, FieldType.DOUBLE.code(), Double.doubleToRawLongBits(value));
    }

    @Override
    @HotPath
    public PointBuilder field(CharSequence name, long value) {
        return field(name, FieldType.LONG.code(), value);
    }

    private PointBuilder field(CharSequence name, int type, long bits) {
        int at = scratch.used();
        int length = scratch.add(name);
        if (length <= 0) {
            wrong = "the name of a field is empty or too long";
        } else {
            encoder.field(scratch.bytes(), at, length, type, bits);
        }
        scratch.rewind(at);
        return this;
    }

    @Override
    @HotPath
    public PointBuilder field(CharSequence name, CharSequence value) {
        int at = scratch.used();
        int nameLength = scratch.add(name);
        int valueLength = scratch.add(value);
        if (nameLength <= 0 || valueLength < 0) {
            wrong = "the name of a field is empty, or its text too long";
        } else {
            byte[] bytes = scratch.bytes();
            encoder.textField(bytes, at, nameLength, bytes, at + nameLength, valueLength);
        }
        scratch.rewind(at);
        return this;
    }

    @Override
    @HotPath
    public PointBuilder copy(CharSequence name, int index) {
        PointFlyweight given = emissions.given();
        if (given == null) {
            wrong = "it copies a field at the end of a cycle, without an input point";
            return this;
        }
        FieldType type = given.fieldType(index);
        return switch (type) {
            case TEXT -> field(name, given.text(index));
            case HISTOGRAM -> histogram(name, histogram, given.histogram(index, histogram));
            case LONG, UNSIGNED, DOUBLE, BOOLEAN ->
                field(name, type.code(), given.record().bits(index));
        };
    }

    @Override
    @HotPath
    public PointBuilder histogram(CharSequence name, byte[] value, int valueLength) {
        int at = scratch.used();
        int length = scratch.add(name);
        if (length <= 0) {
            wrong = "the name of a field is empty or too long";
        } else {
            encoder.histogramField(scratch.bytes(), at, length, value, 0, valueLength);
        }
        scratch.rewind(at);
        return this;
    }

    @Override
    public PointBuilder time(long newTimeNs) {
        timeNs = newTimeNs;
        return this;
    }

    @Override
    @HotPath
    public void end() {
        if (!isOpen) {
            throw new IllegalStateException(
                    "Begin each point with Outlet.point and end the point once, within one call.");
        }
        isOpen = false;
        PointFlyweight given = emissions.given();
        if (isSeriesTaken && given == null) {
            wrong = "it copies the series at the end of a cycle, without an input point";
        }
        if (wrong == null) {
            putSeries(given);
        }
        int length = wrong == null
                ? encoder.end(timeNs, given == null ? 0 : given.record().input())
                : 0;
        if (length <= 0) {
            refuse(length);
        }
        emissions.add(gate, encoder, length);
    }

    private void putSeries(PointFlyweight given) {
        byte[] bytes = scratch.bytes();
        if (isSeriesTaken && tagCount == 0 && metricLength == UNSET) {
            encoder.series(given.series());
            return;
        }
        if (metricLength != UNSET) {
            encoder.metric(bytes, metricAt, metricLength);
        }
        if (isSeriesTaken) {
            inherit(given.series());
        }
        for (int i = 0; i < tagCount; i++) {
            encoder.tag(bytes, nameAt[i], valueAt[i] - nameAt[i], bytes, valueAt[i], valueEnd[i] - valueAt[i]);
        }
    }

    @ColdPath
    private void growInherited(int length) {
        inherited = new byte[2 * length];
    }

    private void inherit(SeriesFlyweight series) {
        if (inherited.length < series.keyLength()) {
            growInherited(series.keyLength());
        }
        int start = series.keyOffset();
        series.buffer().getBytes(start, inherited, 0, series.keyLength());
        if (metricLength == UNSET) {
            encoder.metric(inherited, series.metric() + 2 - start, series.sizeAt(series.metric()));
        }
        int tag = series.firstTag();
        for (int i = series.tagCount(); i > 0; i--) {
            if (!isReplaced(series, tag)) {
                int value = series.tagValue(tag);
                encoder.tag(
                        inherited,
                        tag + 2 - start,
                        series.sizeAt(tag),
                        inherited,
                        value + 2 - start,
                        series.sizeAt(value));
            }
            tag = series.nextTag(tag);
        }
    }

    private boolean isReplaced(SeriesFlyweight series, int tag) {
        int size = series.sizeAt(tag);
        for (int i = 0; i < tagCount; i++) {
            if (valueAt[i] - nameAt[i] == size && isName(series.buffer(), tag + 2, i, size)) {
                return true;
            }
        }
        return false;
    }

    private boolean isName(DirectBuffer buffer, int offset, int tag, int size) {
        for (int i = 0; i < size; i++) {
            if (buffer.getByte(offset + i) != scratch.bytes()[nameAt[tag] + i]) {
                return false;
            }
        }
        return true;
    }

    private void refuse(int code) {
        String why = wrong != null
                ? wrong
                : switch (code) {
                    case PointSink.NO_METRIC -> "it has no metric";
                    case PointSink.NO_FIELD -> "it has no field";
                    case PointSink.DUPLICATE_TAG -> "it has a duplicate tag";
                    case PointSink.TOO_MANY_TAGS -> "it has too many tags";
                    case PointSink.NO_HISTOGRAM -> "it has a malformed histogram";
                    case PointSink.NOT_FINITE -> "it has a number that is not finite";
                    case PointSink.TIME_OUT_OF_RANGE -> "its time is before 1970";
                    default -> "it is too long";
                };
        throw new IllegalArgumentException("A block built an invalid point: " + why + ".");
    }
}
