package io.chimera.archive.query;

import io.chimera.archive.streamfs.RecordHandle;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;

/**
 * Indexes intervals of packets on a thread of its own beside the writer's, which has appended them: finding their keys takes longer than
 * all else that archiving does. A bounded number of intervals is under way; with none free the writer takes no more packets.
 */
final class IndexingThread implements AutoCloseable {
    /** Half a MiB each, of which an eighth is used as a rule: what the thread may be behind, some 6,000 packets of the shortest. */
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

    /** The writer's: handed out and not yet given back filled. */
    private Filled current;

    /** The writer's: how many were filled; and the thread's: how many are indexed. */
    private long filledCount;

    private volatile long indexedCount;
    private volatile boolean isStopping;
    private volatile Throwable failure;

    /** An interval on its way from the writer to the thread and back. */
    private static final class Filled {
        private final PacketIntervalWriter interval;
        private int bytes;
        private RecordHandle handle;
        private long number;

        private Filled(PacketIntervalWriter interval) {
            this.interval = interval;
        }
    }

    /** Begins. From now on the appender's index belongs to this thread, until {@link #close}. */
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

    /** The interval to be filled. The writer's thread, as all below. */
    PacketIntervalWriter interval() {
        return current.interval;
    }

    /** Whether there is another interval to be filled after this one. */
    boolean hasRoom() {
        return !free.isEmpty();
    }

    /** The interval was appended, and is to be indexed; another one takes its place. */
    void appended(int bytes, RecordHandle handle, long number) {
        current.bytes = bytes;
        current.handle = handle;
        current.number = number;
        filled.offer(current); // has room for all there are
        filledCount++;
        current = free.poll();
    }

    /**
     * Appends what the index has ready.
     *
     * @return 0 when there was nothing
     * @throws ChimeraException when indexing failed
     */
    int doWork() {
        Throwable thrown = failure;
        if (thrown instanceof ChimeraException e) {
            throw e;
        }
        if (thrown != null) {
            throw new ChimeraException(
                    Category.FATAL,
                    "Indexing of packets failed by a defect: " + thrown
                            + ". Restart the recorder, which reads again what lacks in the index, and report it.",
                    thrown);
        }
        return store.take();
    }

    /** Whether all intervals that were filled are indexed. */
    boolean isIdle() {
        return indexedCount == filledCount;
    }

    private void run() {
        try {
            while (!isStopping) {
                idle.idle(turn());
            }
        } catch (Throwable e) { // an Error too: without it intervals would wait for ever
            failure = e;
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
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

    /** Ends the thread; the index writer is the writer's again. */
    @Override
    public void close() {
        isStopping = true;
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                isInterrupted = true; // two threads must not have the index
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
