package io.chimera.archive.query.interval;

import io.chimera.archive.index.record.Interval;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the candidate intervals of one data stream, in the order of appending. Consecutive candidates in one block form
 * a batch with a single read, and several batches are read concurrently while the caller processes the batch before;
 * the caller never waits for a device that keeps up. The read-ahead starts with one interval and grows with every
 * batch, so a short answer causes few useless reads. Confined to one thread, apart from the reading threads.
 */
final class IntervalReads implements AutoCloseable {
    /**
     * Maximum batches in flight, including the batch waited for, up to a MiB each: enough to keep a disk busy
     * (docs/archive.md, Depth).
     */
    static final int AHEAD = 4;

    /** Maximum intervals per batch; reached only by the small intervals of a slow stream. */
    private static final int BATCH_MAX = 64;

    private static final long LOOK_MS = 20;

    private final StreamStore store;
    private final IntervalFeed feed;
    private final Clock clock;
    private final Deque<Batch> ahead = new ArrayDeque<>();
    private final Deque<Batch> free = new ArrayDeque<>();
    private final List<Batch> all = new ArrayList<>();
    private volatile boolean isCancelled;

    /** Interval from the feed in another block than the batch before. */
    private @Nullable Interval pending;

    private @Nullable Batch current;

    /** Current limit for batches in flight, including the batch waited for. */
    private int aheadMax = 1;

    private long reads;
    private long waitedNs;

    IntervalReads(StreamStore store, IntervalFeed feed, Clock clock) {
        this.store = store;
        this.feed = feed;
        this.clock = clock;
    }

    /** Neighbouring intervals with their read memory. Belongs to the caller, except during the read. */
    private final class Batch {
        private final StreamReader reader = store.reader();
        private final List<Interval> intervals = new ArrayList<>();
        /** Open during a read on another thread; null for a batch that the caller reads itself. */
        private @Nullable CountDownLatch read;

        private @Nullable Throwable failure;
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
                } catch (Throwable e) { // any Throwable: the caller must see the failure
                    failure = e;
                } finally {
                    latch.countDown();
                }
            });
        }

        private void clear() {
            intervals.clear();
            next = 0;
            read = null;
        }
    }

    /**
     * Advances to the next interval.
     *
     * @return null at the end, or after a cancellation
     * @throws ChimeraException when the search of the index failed; the answer would be incomplete
     */
    @Nullable
    Interval next() {
        if (isCancelled) {
            return null;
        }
        Batch batch = current;
        if (batch == null || batch.next == batch.intervals.size()) {
            batch = nextBatch(batch);
        }
        return batch == null ? null : batch.intervals.get(batch.next++);
    }

    private @Nullable Batch nextBatch(@Nullable Batch before) {
        long startNs = clock.nanoTime();
        if (before != null) {
            before.clear();
            free.add(before);
            current = null;
        }
        if (ahead.isEmpty()) {
            gather(pending == null ? feed.next() : pending).ifPresent(ahead::add);
        }
        Batch batch = ahead.peek();
        readFurtherAhead();
        boolean isThere = batch != null && isRead(batch);
        waitedNs += clock.nanoTime() - startNs;
        return isThere ? batch : null;
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

    /**
     * Starts a batch with an interval, if present, and adds the following intervals of the same block already found.
     */
    private Optional<Batch> gather(@Nullable Interval first) {
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
        CountDownLatch read = batch.read;
        if (read == null) {
            batch.read();
        } else {
            while (!isOver(read)) {
                if (isCancelled) {
                    return false;
                }
            }
        }
        Throwable failure = batch.failure;
        if (failure != null) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Reading failed, and the answer is incomplete: " + failure + ". Retry the query.",
                    failure);
        }
        ahead.remove();
        current = batch;
        return true;
    }

    private static boolean isOver(CountDownLatch read) {
        try {
            return read.await(LOOK_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ChimeraException(
                    Category.WARN, "Reading was interrupted, and the answer is incomplete; retry the query.", e);
        }
    }

    /**
     * Reads the current interval.
     *
     * @return false if the interval was overwritten
     * @throws ChimeraException when the interval is damaged
     */
    boolean read(RecordView into) {
        Batch batch = Objects.requireNonNull(current, "next() has returned an interval");
        return batch.reader.read(batch.intervals.get(batch.next - 1).data(), into);
    }

    /** Returns the number of device reads. */
    long reads() {
        return reads;
    }

    /** Returns the sum of the read times over all threads. Only valid at the end. */
    long readNs() {
        return all.stream()
                .filter(batch -> !ahead.contains(batch))
                .mapToLong(batch -> batch.readNs)
                .sum();
    }

    /** Returns the time spent waiting for the index and for reads. */
    long waitedNs() {
        return waitedNs;
    }

    /** Ends the sequence of intervals. Any thread. */
    void cancel() {
        isCancelled = true;
        feed.cancel();
    }

    /** Waits for the reads in flight. */
    @Override
    public void close() {
        cancel();
        boolean isInterrupted = false;
        for (Batch batch : ahead) {
            CountDownLatch read = batch.read;
            boolean isDone = false;
            while (read != null && !isDone) {
                try {
                    read.await();
                    isDone = true;
                } catch (InterruptedException e) {
                    isInterrupted = true; // keep waiting: memory of a running read must not be returned
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
