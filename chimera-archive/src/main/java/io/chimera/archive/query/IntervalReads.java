package io.chimera.archive.query;

import io.chimera.archive.index.Interval;
import io.chimera.archive.streamfs.RecordView;
import io.chimera.archive.streamfs.StreamReader;
import io.chimera.archive.streamfs.StreamStore;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Intervals of one data stream with their data, in the order of appending. Those of one block that the index names one after the other
 * are read at once, and several such batches at the same time while whoever asks looks at the one before: the device is never waited for
 * where it keeps up. It begins with one interval and reads further ahead with every batch, so that little is read in vain for an answer
 * that is short. One thread, beside those that read.
 */
final class IntervalReads implements AutoCloseable {
    /**
     * Batches under way, the one that is waited for among them, a MiB each at most: as many as keep a disk busy (docs/archive.md, Depth).
     */
    static final int AHEAD = 4;

    /** Small intervals: those of a slow stream. */
    private static final int BATCH_MAX = 64;

    private static final long LOOK_MS = 20;

    private final StreamStore store;
    private final IntervalFeed feed;
    private final Clock clock;
    private final Deque<Batch> ahead = new ArrayDeque<>();
    private final Deque<Batch> free = new ArrayDeque<>();
    private final List<Batch> all = new ArrayList<>();
    private volatile boolean isCancelled;

    /** Taken from the feed, and of another block than the batch before it. */
    private Interval pending;

    private Batch current;

    /** Batches under way, the one that is waited for among them. */
    private int aheadMax = 1;

    private long reads;
    private long waitedNs;

    IntervalReads(StreamStore store, IntervalFeed feed, Clock clock) {
        this.store = store;
        this.feed = feed;
        this.clock = clock;
    }

    /** Intervals beside each other, with the memory that they are read into: of whoever asks but while they are being read. */
    private final class Batch {
        private final StreamReader reader = store.reader();
        private final List<Interval> intervals = new ArrayList<>();
        private CountDownLatch read;
        private Throwable failure;
        private int next;
        private long readNs;

        private void read() {
            long startNs = clock.nanoTime();
            reader.readAhead(
                    intervals.get(0).data(), intervals.get(intervals.size() - 1).data());
            readNs += clock.nanoTime() - startNs;
        }

        private void readBeside() {
            CountDownLatch latch = new CountDownLatch(1);
            read = latch;
            QueryThreads.run(() -> {
                try {
                    read();
                } catch (Throwable e) { // of whatever kind: who asks is to be told
                    failure = e;
                } finally {
                    latch.countDown();
                }
            });
        }

        private boolean isRead(long waitMs) {
            try {
                return read.await(waitMs, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ChimeraException(
                        Category.WARN, "Reading was interrupted, and the answer is not whole; ask again.", e);
            }
        }

        private void clear() {
            intervals.clear();
            next = 0;
            read = null;
        }
    }

    /**
     * Goes to the next interval.
     *
     * @return null at the end, or once it was cancelled
     * @throws ChimeraException when the index cannot be searched: there would be more
     */
    Interval next() {
        if (isCancelled) {
            return null;
        }
        if (current == null || current.next == current.intervals.size()) {
            if (!nextBatch()) {
                return null;
            }
        }
        return current.intervals.get(current.next++);
    }

    private boolean nextBatch() {
        long startNs = clock.nanoTime();
        if (current != null) {
            current.clear();
            free.add(current);
            current = null;
        }
        if (ahead.isEmpty()) {
            gather(pending == null ? feed.next() : pending).ifPresent(ahead::add);
        }
        Batch batch = ahead.peek();
        readFurtherAhead();
        boolean isThere = batch != null && isRead(batch);
        waitedNs += clock.nanoTime() - startNs;
        return isThere;
    }

    private void readFurtherAhead() {
        while (ahead.size() < aheadMax) {
            Optional<Batch> later = gather(pending == null ? feed.poll() : pending);
            if (later.isEmpty()) {
                break;
            }
            later.get().readBeside();
            ahead.add(later.get());
        }
        aheadMax = Math.min(AHEAD, 2 * aheadMax);
    }

    /** Takes an interval, if there is one, and those behind it of the same block that were found already. */
    private Optional<Batch> gather(Interval first) {
        pending = null;
        if (first == null) {
            return Optional.empty();
        }
        Batch batch = free.poll();
        if (batch == null) {
            batch = new Batch();
            all.add(batch);
        }
        batch.intervals.add(first);
        while (batch.intervals.size() < BATCH_MAX && pending == null) {
            Interval next = feed.poll();
            if (next == null) {
                break;
            }
            if (next.data().isBeside(first.data())) {
                batch.intervals.add(next);
            } else {
                pending = next;
            }
        }
        reads++;
        return Optional.of(batch);
    }

    private boolean isRead(Batch batch) {
        if (batch.read == null) {
            batch.read();
        } else {
            while (!batch.isRead(LOOK_MS)) {
                if (isCancelled) {
                    return false;
                }
            }
        }
        if (batch.failure != null) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Reading failed, and the answer is not whole: " + batch.failure + ". Ask again.",
                    batch.failure);
        }
        ahead.remove();
        current = batch;
        return true;
    }

    /**
     * Reads the interval that was gone to last.
     *
     * @return false: it was overwritten
     * @throws ChimeraException when it is damaged
     */
    boolean read(RecordView into) {
        return current.reader.read(current.intervals.get(current.next - 1).data(), into);
    }

    /** Reads of the device that were asked for. */
    long reads() {
        return reads;
    }

    /** How long reading took, all threads together. Not before the end. */
    long readNs() {
        return all.stream()
                .filter(batch -> !ahead.contains(batch))
                .mapToLong(batch -> batch.readNs)
                .sum();
    }

    /** How long was waited for the index and for reads. */
    long waitedNs() {
        return waitedNs;
    }

    /** There is no next one any more. Any thread. */
    void cancel() {
        isCancelled = true;
        feed.cancel();
    }

    /** Waits for what is being read. */
    @Override
    public void close() {
        cancel();
        boolean isInterrupted = false;
        for (Batch batch : ahead) {
            for (boolean isDone = batch.read == null; !isDone; ) {
                try {
                    batch.read.await();
                    isDone = true;
                } catch (InterruptedException e) {
                    isInterrupted = true; // memory that is being read into cannot be given away
                }
            }
        }
        all.forEach(batch -> batch.reader.close());
        feed.close();
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
