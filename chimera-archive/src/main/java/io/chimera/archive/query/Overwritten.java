package io.chimera.archive.query;

import io.chimera.archive.index.IndexSearch;
import io.chimera.archive.index.Interval;
import io.chimera.archive.index.Probe;
import io.chimera.archive.index.SearchCounts;
import io.chimera.archive.streamfs.RecordView;
import io.chimera.archive.streamfs.StreamReader;
import io.chimera.archive.streamfs.StreamStore;
import io.chimera.common.error.ChimeraException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.agrona.collections.LongHashSet;

/**
 * Which rows of a span of time were written more than once, and where each of them was written last. Intervals with such rows say so,
 * and the index knows them: where nothing was written again this costs one search. Rows are compared, not their hashes. One thread.
 */
final class Overwritten {
    /** Some 500,000 rows of few series. */
    static final long BYTES_MAX = 64 << 20;

    /** Of a row or a series beside its name. */
    private static final int ENTRY_BYTES = 120;

    /** Points of an interval are fewer. */
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
     * Nothing is known yet.
     *
     * @param bytesMax of memory that it may take
     * @param isStopped asked ahead of every interval; true: it is not wanted any more, and is not whole
     */
    Overwritten(long bytesMax, BooleanSupplier isStopped) {
        this.bytesMax = bytesMax;
        this.isStopped = isStopped;
    }

    /**
     * Finds them.
     *
     * @param newest number of the last interval that counts
     * @param filter that a row meets at one of its values, or it does not matter here
     * @throws QuestionException when they are too many
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
            damage = "a record that the index lacks cannot be read";
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
            damage = damage.isEmpty() ? e.getMessage() : damage;
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
            throw new QuestionException("The rows that may be in the answer and were written more than once, "
                    + last.size() + " and more, take more than " + bytesMax
                    + " bytes of memory; ask for a shorter time, or for fewer series.");
        }
    }

    private static long place(PointInterval points, long number) {
        return number << PLACE_BITS | points.seen();
    }

    /**
     * Whether no later point took the place of the current one.
     *
     * @param number of the record that the point is in
     */
    boolean isLast(PointInterval points, long number) {
        if (hashes.isEmpty() || !hashes.contains(points.rowHash())) {
            return true;
        }
        Long place = last.get(RowId.of(points, RowId.series(points)));
        return place == null || place == place(points, number);
    }

    /** Intervals that were read. */
    long intervals() {
        return intervals;
    }

    /** Their bytes. */
    long dataBytes() {
        return dataBytes;
    }

    /** What the search for them has done up to now. */
    SearchCounts search() {
        return search;
    }

    /** Intervals that could not be read, so that rows may be in the answer which others took the place of. */
    long damaged() {
        return damaged + search.intervalsDamaged();
    }

    /** What was wrong with the first. */
    String damage() {
        return damage;
    }

    /** What makes a row one: metric and tags, time, type. */
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
