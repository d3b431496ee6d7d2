package io.chimera.archive.query;

import io.chimera.api.HotPath;
import io.chimera.archive.index.IndexWriter;
import io.chimera.archive.index.IntervalAdder;
import io.chimera.archive.query.PacketKeys.KeySink;
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
    private final KeySink sink = new Indexing();
    private boolean isStalled;
    private RecordHandle newest;

    /** Nothing is appended before {@link #rebuild}. */
    IntervalAppender(StreamStore store, ArchiveStream stream, Counters<ArchiveCounter> counters) {
        this.store = store;
        this.stream = stream;
        this.counters = counters;
        index = stream.index().writer();
    }

    /** Reads again what the index lacks since the last time. */
    void rebuild(IntervalAdder adder) {
        counters.add(ArchiveCounter.ARCHIVE_INTERVALS_REINDEXED, index.rebuild(adder));
        counters.add(ArchiveCounter.ARCHIVE_INTERVALS_LEFT_OUT, index.leftOut());
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
        RecordHandle handle = index.isReady() ? store.append(stream.number(), lastNs, record, 0, bytes) : null;
        if (handle == null) {
            counters.add(ArchiveCounter.ARCHIVE_STALLS, isStalled ? 0 : 1);
            isStalled = true;
            return false;
        }
        isStalled = false;
        newest = handle;
        index.endInterval(handle, store.appended(stream.number()), firstNs, lastNs, items);
        counters.increment(ArchiveCounter.ARCHIVE_INTERVALS);
        counters.add(ArchiveCounter.ARCHIVE_INTERVAL_BYTES, bytes);
        return true;
    }

    /** Where the interval is that was appended last; null before the first. */
    RecordHandle newest() {
        return newest;
    }

    /** Appends what is due of the index. Returns 0 when there was nothing to do. */
    int doWork() {
        return index.doWork();
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
    private final class Indexing implements KeySink {
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
