package io.chimera.archive.query.point;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.PointView;
import io.chimera.archive.index.key.KeyHash;
import io.chimera.archive.query.interval.IntervalHeader;
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
 * Data points of one flush in one record of a data stream, covered by one signature of the index. Little-endian:
 *
 * <pre>
 *   0                          32              40
 *   +--------------------------+---------------+---- - - - -
 *   | IntervalHeader, magic    | written       | points as in a batch: RESET, definitions and records
 *   | CPO1, word: flags        | ns since 1970 | (io.chimera.common.wire.BodyLayout)
 *   +--------------------------+---------------+---- - - - -
 *
 *   flags: 1 = some points may have been written to the stream before; the new points replace the old
 * </pre>
 *
 * <p>Each point is a row: a metric, tags, a time, and the field {@value #FIELD}, a whole number or a double. Two points
 * with the same metric, tags, time and value type are versions of one row; the last write wins.
 *
 * <p>This class is a flyweight and a cursor over foreign memory; {@link PointIntervalWriter} writes the layout. One
 * thread. Inconsistencies cause an error with the place, and nothing outside the record is read.
 */
public final class PointInterval {
    /** Name of the value field of a row. */
    public static final String FIELD = "value";

    private static final long NS_PER_MS = 1_000_000;

    private static final int MAGIC = 0x314F5043;

    static final IntervalHeader HEADER = new IntervalHeader(MAGIC, 1, "data points");
    static final int WRITTEN_NS_AT = IntervalHeader.BYTES;

    /** Length of the interval header in bytes. */
    static final int HEADER_BYTES = IntervalHeader.BYTES + Long.BYTES;

    /** Flag: some points may have been written to the stream before. */
    static final int AGAIN = 1;

    private final BodyReader body = new BodyReader();
    private final PointFlyweight point = new PointFlyweight();
    private int points;
    private boolean isAgain;
    private long firstNs;
    private long lastNs;
    private long writtenNs;
    private int seen;

    /** Creates an unwrapped flyweight. */
    public PointInterval() {}

    /**
     * Wraps a record, with the cursor before its first point.
     *
     * @param from must stay valid during the use of this flyweight
     * @param recordBytes length of the record
     * @return this flyweight
     * @throws ChimeraException when the record is not an interval of data points
     */
    public PointInterval wrap(DirectBuffer from, int recordOffset, int recordBytes) {
        HEADER.check(from, recordOffset, recordBytes);
        if (recordBytes < HEADER_BYTES) {
            throw new ChimeraException(
                    Category.ERROR, "The header of data points exceeds the record of " + recordBytes + " bytes.");
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
     * Advances to the next point.
     *
     * @return false at the end
     * @throws ChimeraException when the point exceeds the record
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
                Category.ERROR, "Data point " + (seen + 1) + " of " + points + " is incomplete in its record.");
    }

    /** Returns the current point, valid until the next point. */
    @HotPath
    public PointView point() {
        return point;
    }

    /** Returns the point as the original row. */
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

    /** Returns the number of points. */
    public int points() {
        return points;
    }

    /** Returns true if some points may have been written before. */
    public boolean isAgain() {
        return isAgain;
    }

    /** Returns the least time of a point, ns since 1970. */
    public long firstNs() {
        return firstNs;
    }

    /** Returns the greatest time of a point, ns since 1970. */
    public long lastNs() {
        return lastNs;
    }

    /** Returns the write time of the interval, ns since 1970. If two volumes hold a row, the later write wins. */
    public long writtenNs() {
        return writtenNs;
    }

    /** Returns the number of points visited so far. */
    int seen() {
        return seen;
    }

    /** Returns metric and tags of the point. */
    @HotPath
    SeriesFlyweight series() {
        return point.series();
    }

    /** Returns true if the value is a whole number. */
    @HotPath
    boolean isLong() {
        return isLong(point);
    }

    static boolean isLong(PointView point) {
        return point.fieldType(0) == FieldType.LONG;
    }

    /** Returns a hash of the identity of the point's row, without the time. */
    @HotPath
    long rowHash() {
        return rowHash(point.series(), isLong());
    }

    @HotPath
    static long rowHash(SeriesFlyweight series, boolean isLong) {
        return KeyHash.of(series.keyHash(), isLong ? 1 : 0);
    }
}
