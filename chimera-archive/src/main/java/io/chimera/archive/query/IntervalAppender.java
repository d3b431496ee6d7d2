package io.chimera.archive.query;

import io.chimera.api.HotPath;
import io.chimera.archive.index.IndexWriter;
import io.chimera.archive.index.IntervalAdder;
import io.chimera.archive.streamfs.RecordHandle;
import io.chimera.archive.streamfs.StreamStore;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import org.agrona.DirectBuffer;

/** Appends intervals to a data stream, and their keys to its index. The thread of the store's writer. */
final class IntervalAppender {
    private final StreamStore store;
    private final ArchiveStream stream;
    private final IndexWriter index;
    private final Counters<ArchiveCounter> counters;
    private final KeySink sink;
    private boolean isStalled;
    private RecordHandle newest;
    private long outlived;

    /** Nothing is appended before {@link #rebuild}. */
    IntervalAppender(StreamStore store, ArchiveStream stream, Counters<ArchiveCounter> counters) {
        this.store = store;
        this.stream = stream;
        this.counters = counters;
        index = stream.index().writer();
        sink = new Indexing(index);
    }

    /** Reads again what the index lacks since the last time. */
    void rebuild(IntervalAdder adder) {
        counters.add(ArchiveCounter.ARCHIVE_INTERVALS_REINDEXED, index.rebuild(adder));
    }

    /** What is written. */
    ArchiveStream stream() {
        return stream;
    }

    /** Takes the keys of the interval that is appended next. */
    KeySink sink() {
        return sink;
    }

    /**
     * Appends an interval, from the beginning of a buffer.
     *
     * @return false when there is no room now: call {@link #doWork} and that of the store, and try again
     */
    boolean append(DirectBuffer record, int bytes, long firstNs, long lastNs, int items) {
        RecordHandle handle = append(record, bytes, lastNs, index.isReady());
        if (handle == null) {
            return false;
        }
        newest = handle;
        index.endInterval(handle, number(), firstNs, lastNs, items);
        return true;
    }

    /**
     * Appends an interval that is to be indexed next.
     *
     * @param isWanted false: who indexes has no room for another
     * @return where it is; null when there is no room now
     */
    RecordHandle append(DirectBuffer record, int bytes, long lastNs, boolean isWanted) {
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

    /** Where the interval is that was appended and indexed last; null before the first. */
    RecordHandle newest() {
        return newest;
    }

    /** Number of the interval that was appended last. */
    long number() {
        return store.appended(stream.number());
    }

    /** Takes keys of what is appended. */
    IndexWriter index() {
        return index;
    }

    /** Appends what is due of the index, by the monotonic clock; the thread that indexes. Returns 0 when there was nothing to do. */
    int doWork(long nowNs) {
        int appended = index.doWork(nowNs);
        if (appended > 0) {
            counters.add(ArchiveCounter.ARCHIVE_INTERVALS_OUTLIVED, index.outlived() - outlived);
            outlived = index.outlived();
        }
        return appended;
    }

    /** Appends the index of all there is, and asks that everything is made durable. Nothing is appended afterwards. */
    void finish() {
        index.finish();
        store.sync();
    }

    /** Whether all that was appended survives a loss of power. */
    boolean isDurable() {
        return store.durable(stream.number()) == store.appended(stream.number());
    }

    /** Hands keys to the index. */
    static final class Indexing implements KeySink {
        private final IndexWriter index;

        Indexing(IndexWriter index) {
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
