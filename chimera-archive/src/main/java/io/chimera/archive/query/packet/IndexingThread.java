package io.chimera.archive.query.packet;

import io.chimera.archive.index.record.RecordOutput;
import io.chimera.archive.query.interval.IntervalAppender;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Indexes intervals of packets on a separate thread after the writer's thread has appended them: extraction of keys
 * takes longer than all other archiving work. The number of intervals in flight is bounded; when no interval is free,
 * the writer accepts no more packets.
 */
final class IndexingThread implements AutoCloseable {
    /**
     * Number of interval buffers: half a MiB each, of which usually an eighth is used. The limit equals a backlog of
     * about 6,000 packets of minimum size.
     */
    private static final int INTERVALS = 8;

    private static final int SPINS = 10;
    private static final long PARK_NS_MIN = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long PARK_NS_MAX = TimeUnit.MILLISECONDS.toNanos(1);

    private final IntervalAppender appender;
    private final PacketIndexer indexer;
    private final AppendedElsewhere store;
    private final Clock clock;
    private final OneToOneConcurrentArrayQueue<Filled> filled = new OneToOneConcurrentArrayQueue<>(INTERVALS);
    private final OneToOneConcurrentArrayQueue<Filled> free = new OneToOneConcurrentArrayQueue<>(INTERVALS);
    private final IdleStrategy idle = new BackoffIdleStrategy(SPINS, SPINS, PARK_NS_MIN, PARK_NS_MAX);
    private final Thread thread = new Thread(this::run, "archive-index");

    /** Interval in the hands of the writer's thread, until it is filled. */
    private Filled current;

    /** Number of filled intervals (writer's thread) and of indexed intervals (indexing thread). */
    private long filledCount;

    private volatile long indexedCount;
    private volatile boolean isStopping;
    private volatile @Nullable Throwable failure;

    /** Interval in flight from the writer's thread to the indexing thread and back. */
    private static final class Filled {
        private final PacketIntervalWriter interval;
        private int bytes;
        private RecordHandle handle = RecordOutput.NO_HANDLE;
        private long number;

        private Filled(PacketIntervalWriter interval) {
            this.interval = interval;
        }
    }

    /** Starts the thread. Until {@link #close}, the appender's index belongs to this thread. */
    IndexingThread(
            IntervalAppender appender, PacketIndexer indexer, AppendedElsewhere store, Clock clock, int intervalBytes) {
        this.appender = appender;
        this.indexer = indexer;
        this.store = store;
        this.clock = clock;
        for (int i = 0; i < INTERVALS; i++) {
            free.offer(new Filled(new PacketIntervalWriter(intervalBytes)));
        }
        current = free.poll();
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns the interval to fill. Writer's thread, like all methods below. */
    PacketIntervalWriter interval() {
        return current.interval;
    }

    /** Returns true if another interval is free after the current interval. */
    boolean hasRoom() {
        return !free.isEmpty();
    }

    /** Passes the appended interval to the indexing thread and switches to a free interval. */
    void appended(int bytes, RecordHandle handle, long number) {
        current.bytes = bytes;
        current.handle = handle;
        current.number = number;
        filled.offer(current); // capacity for all intervals
        filledCount++;
        current = free.poll();
    }

    /**
     * Appends the pending index record, if any.
     *
     * @return 0 if there was no work
     * @throws ChimeraException when indexing has failed
     */
    int doWork() {
        Throwable thrown = failure;
        if (thrown instanceof ChimeraException e) {
            throw e;
        }
        if (thrown != null) {
            throw new ChimeraException(
                    Category.FATAL,
                    "Indexing of packets failed because of a defect: " + thrown
                            + ". Restart the recorder, which rebuilds the missing index, and report the defect.",
                    thrown);
        }
        return store.take();
    }

    /** Returns true if all filled intervals are indexed. */
    boolean isIdle() {
        return indexedCount == filledCount;
    }

    private void run() {
        try {
            while (!isStopping) {
                idle.idle(turn());
            }
        } catch (Throwable e) { // also an Error: otherwise intervals would wait forever
            failure = e;
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // single writer
    private int turn() {
        int work = appender.doWork(clock.nanoTime());
        Filled next = appender.index().isReady() ? filled.poll() : null;
        if (next == null) {
            return work;
        }
        indexer.add(next.interval.buffer(), next.bytes, next.handle, next.number);
        next.interval.clear();
        free.offer(next);
        indexedCount++;
        return 1;
    }

    /** Stops the thread; afterwards the index belongs to the writer's thread again. */
    @Override
    public void close() {
        isStopping = true;
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                isInterrupted = true; // keep waiting: two threads must not share the index
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
