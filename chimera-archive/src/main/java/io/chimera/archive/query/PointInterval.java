package io.chimera.archive.query;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.PointView;
import io.chimera.archive.index.KeyHash;
import io.chimera.common.composition.PointFlyweight;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.SeriesFlyweight;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;

/**
 * Data points of one flush in one record of a data stream: what one signature of the index stands for. Little-endian:
 *
 * <pre>
 *   0                          32              40
 *   +--------------------------+---------------+---- - - - -
 *   | IntervalHeader, magic    | written       | points as in a batch: RESET, definitions and records
 *   | CPO1, word: flags        | ns since 1970 | (io.chimera.common.wire.BodyLayout)
 *   +--------------------------+---------------+---- - - - -
 *
 *   flags: 1 = some of its points may have been written to the stream before. These take the places of the others
 * </pre>
 *
 * Each point is a row: a metric, tags, a time, and the field {@value #FIELD}, which is a whole number or a double. Two points of the
 * same metric, tags, time and type of the value are one row, of which the one written last counts.
 *
 * <p>This is a flyweight and a cursor over memory that it does not own, {@link PointIntervalWriter} writes it. One thread. What is
 * wrong is an error that names the place, and nothing outside of the record is read.
 */
public final class PointInterval {
    /** The name of the field that holds the value of a row. */
    public static final String FIELD = "value";

    private static final long NS_PER_MS = 1_000_000;

    /** The letters CPO1. */
    private static final int MAGIC = 0x314F5043;

    static final IntervalHeader HEADER = new IntervalHeader(MAGIC, 1, "data points");
    static final int WRITTEN_NS_AT = IntervalHeader.BYTES;

    /** Bytes ahead of the body. */
    static final int HEADER_BYTES = IntervalHeader.BYTES + Long.BYTES;

    /** Flag: some of its points may have been written to the stream before. */
    static final int AGAIN = 1;

    private final BodyReader body = new BodyReader();
    private final PointFlyweight point = new PointFlyweight();
    private int points;
    private boolean isAgain;
    private long firstNs;
    private long lastNs;
    private long writtenNs;
    private int seen;

    /** A flyweight over nothing yet. */
    public PointInterval() {}

    /**
     * Lays this flyweight over a record, ahead of its first point.
     *
     * @param from valid as long as this is used
     * @param recordBytes of the record
     * @return this
     * @throws ChimeraException when the record is no interval of data points
     */
    public PointInterval wrap(DirectBuffer from, int recordOffset, int recordBytes) {
        HEADER.check(from, recordOffset, recordBytes);
        if (recordBytes < HEADER_BYTES) {
            throw new ChimeraException(
                    Category.ERROR, "Data points do not fit into their record of " + recordBytes + " bytes.");
        }
        points = IntervalHeader.items(from, recordOffset);
        isAgain = (IntervalHeader.word(from, recordOffset) & AGAIN) != 0;
        firstNs = IntervalHeader.firstNs(from, recordOffset);
        lastNs = IntervalHeader.lastNs(from, recordOffset);
        writtenNs = from.getLong(recordOffset + WRITTEN_NS_AT, ByteOrder.LITTLE_ENDIAN);
        body.wrap(from, recordOffset + HEADER_BYTES, recordOffset + recordBytes);
        seen = 0;
        return this;
    }

    /**
     * Goes to the next point.
     *
     * @return false when there is none
     * @throws ChimeraException when it does not lie within the record
     */
    @HotPath
    public boolean next() {
        if (seen == points) {
            return false;
        }
        if (!body.nextRecord()) {
            throw cutOff();
        }
        point.wrap(body.seriesOfRecord(), body.fieldsOfRecord(), body.record());
        seen++;
        return true;
    }

    private ChimeraException cutOff() {
        return new ChimeraException(
                Category.ERROR, "Data point " + (seen + 1) + " of " + points + " is not whole in its record.");
    }

    /** The point; valid until the next. */
    @HotPath
    public PointView point() {
        return point;
    }

    /** The point as the row that it was. */
    public Row row() {
        Map<String, String> tags = new TreeMap<>();
        for (int i = 0; i < point.tags(); i++) {
            tags.put(point.tagName(i).toString(), point.tagValue(i).toString());
        }
        long timeMs = point.timeNs() / NS_PER_MS;
        String metric = point.metric().toString();
        return isLong()
                ? Row.ofLong(metric, Tags.of(tags), timeMs, point.whole(0))
                : Row.ofDouble(metric, Tags.of(tags), timeMs, point.number(0));
    }

    /** How many points there are. */
    public int points() {
        return points;
    }

    /** Whether some of them may have been written before. */
    public boolean isAgain() {
        return isAgain;
    }

    /** The least time of a point, ns since 1970. */
    public long firstNs() {
        return firstNs;
    }

    /** The greatest time of a point, ns since 1970. */
    public long lastNs() {
        return lastNs;
    }

    /** When the interval was written, ns since 1970: of two volumes, the one that wrote a row later has its value. */
    public long writtenNs() {
        return writtenNs;
    }

    /** How many points of the interval have been gone to. */
    int seen() {
        return seen;
    }

    /** Metric and tags of the point. */
    @HotPath
    SeriesFlyweight series() {
        return point.series();
    }

    /** Whether the value is a whole number. */
    @HotPath
    boolean isLong() {
        return isLong(point);
    }

    static boolean isLong(PointView point) {
        return point.fieldType(0) == FieldType.LONG;
    }

    /** A hash of what makes the point's row one, but for its time. */
    @HotPath
    long rowHash() {
        return rowHash(point.series(), isLong());
    }

    @HotPath
    static long rowHash(SeriesFlyweight series, boolean isLong) {
        return KeyHash.of(series.keyHash(), isLong ? 1 : 0);
    }
}
