package io.chimera.archive.query.point;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.api.model.FieldType;
import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.PointSink;
import io.chimera.api.spi.PointView;
import io.chimera.common.composition.PointFlyweight;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.encode.RecordEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Fills intervals with rows as data points, with the layout of {@link PointInterval}. Single-threaded. */
public final class PointIntervalWriter {
    /** Result of an add to a full interval, which must be cut first. */
    public static final int FULL = 1;

    private static final byte[] FIELD = PointInterval.FIELD.getBytes(UTF_8);
    private static final long NS_PER_MS = 1_000_000;
    private static final long TIME_MS_MAX = Long.MAX_VALUE / NS_PER_MS;

    /** Maximum number of cached metric names: metrics repeat often. 1 MB for names of 60 bytes. */
    private static final int METRICS_MAX = 16 << 10;

    /** Maximum length: the longest point, in an interval of its own. */
    private static final int BYTES_MAX = PointInterval.HEADER_BYTES + BodyLayout.RESET_LENGTH + BodyLayout.LENGTH_MAX;

    private final int intervalBytes;
    private final int bytesMax;
    private final UnsafeBuffer buffer;
    private final RecordEncoder encoder = new RecordEncoder();
    private final BodyReader reader = new BodyReader();
    private final PointFlyweight point = new PointFlyweight();
    private final Map<String, byte[]> metrics = new HashMap<>();
    private @Nullable Tags tags;
    private byte[][] tagBytes = {};
    private int points;
    private long firstNs;
    private long lastNs;
    private int again;

    /**
     * Creates an empty writer.
     *
     * @param intervalBytes maximum length of an interval; a longer point gets an interval of its own
     */
    public PointIntervalWriter(int intervalBytes) {
        this.intervalBytes = intervalBytes;
        bytesMax = Math.max(intervalBytes, BYTES_MAX);
        buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(bytesMax));
        clear();
    }

    /** Returns the maximum length of a record. */
    int bytesMax() {
        return bytesMax;
    }

    /** Starts an empty interval. */
    public void clear() {
        begin(intervalBytes);
        points = 0;
        firstNs = Long.MAX_VALUE;
        lastNs = Long.MIN_VALUE;
        again = 0;
    }

    private void begin(int limit) {
        encoder.open(buffer, PointInterval.HEADER_BYTES, limit);
        reader.wrap(buffer, PointInterval.HEADER_BYTES, bytesMax);
    }

    /**
     * Adds a row.
     *
     * @return {@link PointSink#OK}, {@link #FULL} if the row belongs to the next interval, or the error code of an
     *     invalid row
     */
    public int add(Row row) {
        if (row.timeMs() < 0 || row.timeMs() > TIME_MS_MAX) {
            return PointSink.TIME_OUT_OF_RANGE;
        }
        if (points > 0 && encoder.position() >= intervalBytes) {
            return FULL;
        }
        int code = encode(row);
        if (code == PointSink.TOO_LONG && points > 0) {
            return FULL;
        }
        if (code == PointSink.TOO_LONG) {
            begin(bytesMax);
            code = encode(row);
        }
        if (code != PointSink.OK) {
            return code;
        }
        if (!reader.nextRecord()) {
            throw new IllegalStateException("The encoded row is not a whole record: " + row);
        }
        point.wrap(reader.seriesOfRecord(), reader.fieldsOfRecord(), reader.record());
        points++;
        firstNs = Math.min(firstNs, point.timeNs());
        lastNs = Math.max(lastNs, point.timeNs());
        return PointSink.OK;
    }

    private int encode(Row row) {
        encoder.begin();
        byte[] metric = metric(row.metric());
        encoder.metric(metric, 0, metric.length);
        byte[][] all = tags(row.tags());
        for (int i = 0; i < all.length; i += 2) {
            encoder.tag(all[i], 0, all[i].length, all[i + 1], 0, all[i + 1].length);
        }
        FieldType type = row.isLong() ? FieldType.LONG : FieldType.DOUBLE;
        encoder.field(FIELD, 0, FIELD.length, type.code(), row.bits());
        return encoder.end(row.timeMs() * NS_PER_MS, 0);
    }

    private byte[] metric(String name) {
        if (metrics.size() >= METRICS_MAX) {
            metrics.clear();
        }
        return metrics.computeIfAbsent(name, text -> text.getBytes(UTF_8));
    }

    /** Encodes tags, with a cache: rows of a group follow each other and share their tags. */
    @SuppressWarnings("ReferenceEquality") // avoids a comparison of all tags
    private byte[][] tags(Tags of) {
        if (of != tags) {
            tagBytes = of.asMap().entrySet().stream()
                    .flatMap(tag -> Stream.of(
                            tag.getKey().getBytes(UTF_8), tag.getValue().getBytes(UTF_8)))
                    .toArray(byte[][]::new);
            tags = of;
        }
        return tagBytes;
    }

    /** Returns the last added point. */
    PointView point() {
        return point;
    }

    /** Returns a hash of the identity of the last added row, without the time. */
    long rowHash() {
        return PointInterval.rowHash(point.series(), PointInterval.isLong(point));
    }

    /** Marks the last added point as possibly written before. */
    void markAgain() {
        again++;
    }

    /** Returns the number of points possibly written before. */
    int again() {
        return again;
    }

    /** Returns the number of points in the interval. */
    public int points() {
        return points;
    }

    /** Returns the least time of a point, ns since 1970. */
    long firstNs() {
        return firstNs;
    }

    /** Returns the greatest time of a point, ns since 1970. */
    long lastNs() {
        return lastNs;
    }

    /** Returns the memory of the record, from index 0. */
    public DirectBuffer buffer() {
        return buffer;
    }

    /**
     * Writes the header; more points may be added afterwards.
     *
     * @param writtenNs current time, ns since 1970
     * @return length of the record in bytes
     */
    public int finish(long writtenNs) {
        PointInterval.HEADER.write(
                buffer, again > 0 ? PointInterval.AGAIN : 0, points, encoder.position(), firstNs, lastNs);
        buffer.putLong(PointInterval.WRITTEN_NS_AT, writtenNs, ByteOrder.LITTLE_ENDIAN);
        return encoder.position();
    }
}
