package io.chimera.archive.query.point;

import io.chimera.archive.index.IndexSearch;
import io.chimera.archive.index.SearchCounts;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.record.Interval;
import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.filter.PointFilter;
import io.chimera.archive.query.interval.IntervalFeed;
import io.chimera.archive.query.key.PointKeys;
import io.chimera.archive.query.text.QuestionException;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.error.ChimeraException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.agrona.collections.LongHashSet;

/**
 * Rows of a time span with more than one version, and the location of their last version. Intervals with rewritten rows
 * carry a flag and an index key, so a span without rewritten rows costs a single search. Rows are compared by content,
 * not by hash. Single-threaded.
 */
final class Overwritten {
    /** Memory limit, enough for about 500,000 rows of few series. */
    static final long BYTES_MAX = 64 << 20;

    /** Estimated memory of an entry for a row or series, without its name. */
    private static final int ENTRY_BYTES = 120;

    /** Bits for the point's ordinal in its interval. */
    private static final int PLACE_BITS = 24;

    private final Map<RowId, Long> last = new HashMap<>();
    private final Map<ByteBuffer, byte[]> series = new HashMap<>();
    private final LongHashSet hashes = new LongHashSet();
    private final long bytesMax;
    private final BooleanSupplier isStopped;
    private final RecordView record = new RecordView();
    private final PointInterval points = new PointInterval();
    private SearchCounts search = IntervalFeed.NOTHING;
    private long bytes;
    private long intervals;
    private long dataBytes;
    private long damaged;
    private String damage = "";

    /**
     * Creates an empty collection.
     *
     * @param bytesMax memory limit
     * @param isStopped polled before every interval; true when the result is no longer wanted, and then incomplete
     */
    Overwritten(long bytesMax, BooleanSupplier isStopped) {
        this.bytesMax = bytesMax;
        this.isStopped = isStopped;
    }

    /**
     * Collects the rewritten rows.
     *
     * @param newest number of the last relevant interval
     * @param filter filter met by a row with at least one possible value; other rows are ignored
     * @throws QuestionException when the rows exceed the memory limit
     */
    void find(StreamStore store, ArchiveStream stream, long newest, Question question, PointFilter filter) {
        try (IndexSearch running = stream.index().search();
                StreamReader reader = store.reader()) {
            Probe probe = Probe.and(PointKeys.again(), filter.probe());
            search = running.search(probe, question.afterNs(), question.beforeNs(), interval -> {
                search = running.counts();
                if (!isStopped.getAsBoolean() && interval.number() <= newest) {
                    read(reader, interval, question, filter);
                }
                return !isStopped.getAsBoolean();
            });
        }
        if (search.intervalsDamaged() > 0 && damage.isEmpty()) {
            damage = "an unindexed record cannot be read";
        }
    }

    private void read(StreamReader reader, Interval interval, Question question, PointFilter filter) {
        try {
            if (!reader.read(interval.data(), record)) {
                return;
            }
            intervals++;
            dataBytes += record.buffer().capacity();
            points.wrap(record.buffer(), 0, record.buffer().capacity());
            while (points.isAgain() && points.next()) {
                long timeNs = points.point().timeNs();
                if (timeNs >= question.afterNs() && timeNs <= question.beforeNs() && filter.matches(points.point())) {
                    note(points, record.number());
                }
            }
        } catch (QuestionException e) {
            throw e;
        } catch (ChimeraException e) {
            damaged++;
            damage = damage.isEmpty() ? String.valueOf(e.getMessage()) : damage;
        }
    }

    private void note(PointInterval of, long number) {
        hashes.add(of.rowHash());
        byte[] name = RowId.series(of);
        byte[] kept = series.putIfAbsent(ByteBuffer.wrap(name), name);
        bytes += kept == null ? name.length + ENTRY_BYTES : 0;
        Long before = last.put(RowId.of(of, kept == null ? name : kept), place(of, number));
        bytes += before == null ? ENTRY_BYTES : 0;
        if (bytes > bytesMax) {
            throw new QuestionException("The rewritten rows that may match, "
                    + last.size() + " or more, take more than " + bytesMax
                    + " bytes of memory; ask for a shorter time, or for fewer series.");
        }
    }

    private static long place(PointInterval points, long number) {
        return number << PLACE_BITS | points.seen();
    }

    /**
     * Returns true if the current point is the last version of its row.
     *
     * @param number number of the record with the point
     */
    boolean isLast(PointInterval points, long number) {
        if (hashes.isEmpty() || !hashes.contains(points.rowHash())) {
            return true;
        }
        Long place = last.get(RowId.of(points, RowId.series(points)));
        return place == null || place == place(points, number);
    }

    /** Returns the number of intervals read. */
    long intervals() {
        return intervals;
    }

    /** Returns the bytes of the intervals read. */
    long dataBytes() {
        return dataBytes;
    }

    /** Returns the counters of the search so far. */
    SearchCounts search() {
        return search;
    }

    /**
     * Returns the number of unreadable intervals; with unreadable intervals, the answer may contain outdated versions
     * of rows.
     */
    long damaged() {
        return damaged + search.intervalsDamaged();
    }

    /** Returns the first error; empty without errors. */
    String damage() {
        return damage;
    }

    /** Identity of a row: metric and tags, time, type. */
    private static final class RowId {
        private final byte[] series;
        private final long timeNs;
        private final boolean isLong;
        private final int hash;

        private RowId(byte[] series, long timeNs, boolean isLong, long hash) {
            this.series = series;
            this.timeNs = timeNs;
            this.isLong = isLong;
            this.hash = Long.hashCode(hash * 31 + timeNs);
        }

        static byte[] series(PointInterval points) {
            byte[] series = new byte[points.series().keyLength()];
            points.series().buffer().getBytes(points.series().keyOffset(), series);
            return series;
        }

        static RowId of(PointInterval points, byte[] series) {
            return new RowId(series, points.point().timeNs(), points.isLong(), points.rowHash());
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof RowId row
                    && timeNs == row.timeNs
                    && isLong == row.isLong
                    && Arrays.equals(series, row.series);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
