package io.chimera.archive.query.interval;

import io.chimera.api.HotPath;
import io.chimera.archive.index.IndexWriter;
import io.chimera.archive.index.IntervalAdder;
import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.query.key.KeySink;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Appends intervals to a data stream, and their keys to its index. Thread of the store's writer. */
public final class IntervalAppender {
    private final StreamStore store;
    private final ArchiveStream stream;
    private final IndexWriter index;
    private final Counters<ArchiveCounter> counters;
    private final KeySink sink;
    private boolean isStalled;
    private @Nullable RecordHandle newest;
    private long outlived;

    /** Creates the appender; {@link #rebuild} must run before the first append. */
    public IntervalAppender(StreamStore store, ArchiveStream stream, Counters<ArchiveCounter> counters) {
        this.store = store;
        this.stream = stream;
        this.counters = counters;
        index = stream.index().writer();
        sink = new Indexing(index);
    }

    /** Re-indexes the intervals missing in the index since the last run. */
    public void rebuild(IntervalAdder adder) {
        counters.add(ArchiveCounter.ARCHIVE_INTERVALS_REINDEXED, index.rebuild(adder));
    }

    public ArchiveStream stream() {
        return stream;
    }

    /** Returns the sink for the keys of the next interval. */
    public KeySink sink() {
        return sink;
    }

    /**
     * Appends an interval from the start of a buffer.
     *
     * @return false if there is no room: call {@link #doWork} and the store's {@code doWork}, then retry
     */
    public boolean append(DirectBuffer record, int bytes, long firstNs, long lastNs, int items) {
        RecordHandle handle = append(record, bytes, lastNs, index.isReady());
        if (handle == null) {
            return false;
        }
        newest = handle;
        index.endInterval(handle, number(), firstNs, lastNs, items);
        return true;
    }

    /**
     * Appends an interval; the caller indexes the interval afterwards.
     *
     * @param isWanted false if the indexer has no room for another interval
     * @return the handle of the interval; null if there is no room
     */
    public @Nullable RecordHandle append(DirectBuffer record, int bytes, long lastNs, boolean isWanted) {
        RecordHandle handle = isWanted ? store.append(stream.number(), lastNs, record, 0, bytes) : null;
        if (handle == null) {
            counters.add(ArchiveCounter.ARCHIVE_STALLS, isStalled ? 0 : 1);
            isStalled = true;
            return null;
        }
        isStalled = false;
        counters.increment(ArchiveCounter.ARCHIVE_INTERVALS);
        counters.add(ArchiveCounter.ARCHIVE_INTERVAL_BYTES, bytes);
        return handle;
    }

    /** Returns the handle of the last appended and indexed interval; null before the first. */
    public @Nullable RecordHandle newest() {
        return newest;
    }

    /** Returns the number of the last appended interval. */
    public long number() {
        return store.appended(stream.number());
    }

    public IndexWriter index() {
        return index;
    }

    /**
     * Appends due index records, by the monotonic clock. Called on the indexing thread. Returns 0 if there was no work.
     */
    public int doWork(long nowNs) {
        int appended = index.doWork(nowNs);
        if (appended > 0) {
            counters.add(ArchiveCounter.ARCHIVE_INTERVALS_OUTLIVED, index.outlived() - outlived);
            outlived = index.outlived();
        }
        return appended;
    }

    /** Appends the index of all intervals and requests a sync. No append may follow. */
    public void finish() {
        index.finish();
        store.sync();
    }

    /** Returns true if everything appended survives a loss of power. */
    public boolean isDurable() {
        return store.durable(stream.number()) == store.appended(stream.number());
    }

    /** Forwards keys to the index. */
    public static final class Indexing implements KeySink {
        private final IndexWriter index;

        public Indexing(IndexWriter index) {
            this.index = index;
        }

        @Override
        @HotPath
        public void add(int key, long hash) {
            index.add(key, hash);
        }

        @Override
        @HotPath
        public void addRange(int key, long value) {
            index.addRange(key, value);
        }

        @Override
        @HotPath
        public boolean isRecent(long first, long second) {
            return index.isRecent(first, second);
        }
    }
}
