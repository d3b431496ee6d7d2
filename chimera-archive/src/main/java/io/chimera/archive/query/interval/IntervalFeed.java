package io.chimera.archive.query.interval;

import io.chimera.archive.index.Index;
import io.chimera.archive.index.IndexSearch;
import io.chimera.archive.index.SearchCounts;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.record.Interval;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Candidate intervals of one data stream, in the order of appending. A separate thread searches the index with a
 * bounded read-ahead, so the feeds of several streams can be merged.
 */
public final class IntervalFeed implements AutoCloseable {
    /** Read-ahead of the search: 128 intervals equal 8 MiB of data, so readers never wait for the index. */
    private static final int AHEAD = 128;

    private static final long LOOK_MS = 20;
    private static final Interval END = new Interval(new RecordHandle(0, 0), 0, 0, 0, 0);
    public static final SearchCounts NOTHING = new SearchCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    private final String name;
    private final Clock clock;
    private final IndexSearch search;
    private final BlockingQueue<Interval> found = new ArrayBlockingQueue<>(AHEAD);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile SearchCounts counts = NOTHING;
    private volatile @Nullable Throwable failure;
    private volatile boolean isCancelled;
    private volatile Worked worked = new Worked(0, 0, false);
    private boolean isOver;

    /** Duration of the search so far, and start of its current phase. */
    private record Worked(long ns, long sinceNs, boolean isGoingOn) {
        private long until(long nowNs) {
            return isGoingOn ? ns + nowNs - sinceNs : ns;
        }

        private Worked pause(long nowNs) {
            return new Worked(until(nowNs), nowNs, false);
        }

        private Worked goOn(long nowNs) {
            return new Worked(ns, nowNs, true);
        }
    }

    IntervalFeed(Index index, Probe probe, long afterNs, long beforeNs, String name, Clock clock) {
        this.name = name;
        this.clock = clock;
        search = index.search();
        try {
            QueryThreads.run(() -> run(probe, afterNs, beforeNs));
        } catch (Throwable e) { // no thread available
            search.close();
            throw e;
        }
    }

    private void run(Probe probe, long afterNs, long beforeNs) {
        worked = worked.goOn(clock.nanoTime());
        try (search) {
            counts = search.search(probe, afterNs, beforeNs, interval -> {
                counts = search.counts();
                return found.offer(interval) || putLater(interval);
            });
        } catch (Throwable e) { // also an Error: otherwise a truncated answer would look complete
            failure = e;
        } finally {
            worked = worked.pause(clock.nanoTime());
            put(END);
            ended.countDown();
        }
    }

    private boolean putLater(Interval interval) {
        worked = worked.pause(clock.nanoTime());
        try {
            return put(interval);
        } finally {
            worked = worked.goOn(clock.nanoTime());
        }
    }

    private boolean put(Interval interval) {
        if (found.offer(interval)) {
            return true; // the end marker also fits after a cancellation
        }
        try {
            while (!isCancelled) {
                if (found.offer(interval, LOOK_MS, TimeUnit.MILLISECONDS)) {
                    return true;
                }
            }
        } catch (InterruptedException e) {
            // the interrupt flag stays cleared: the thread ends and must still deliver its end marker
            throw interrupted(e);
        }
        return false;
    }

    /**
     * Returns the next interval.
     *
     * @return null at the end, or after a cancellation
     * @throws ChimeraException when the search of the index failed, or this thread was interrupted; the answer would be
     *     incomplete
     */
    @Nullable
    Interval next() {
        if (!isOver) {
            Interval next = take();
            if (next != null) {
                return next;
            }
        }
        Throwable thrown = failure;
        if (thrown instanceof ChimeraException e) {
            throw e;
        }
        if (thrown != null) {
            throw new ChimeraException(
                    Category.ERROR,
                    "The search of stream " + name + " failed, and the answer is incomplete: " + thrown
                            + ". Retry the query; if it fails again, restart the archive and report the error.",
                    thrown);
        }
        return null;
    }

    /**
     * Returns the next interval if already found, otherwise null; {@link #next} tells whether another interval follows.
     */
    @Nullable
    Interval poll() {
        return isOver ? null : unlessEnd(found.poll());
    }

    private @Nullable Interval unlessEnd(@Nullable Interval next) {
        isOver = next != null && next.number() == END.number();
        return isOver ? null : next;
    }

    private @Nullable Interval take() {
        try {
            while (!isCancelled) {
                Interval next = found.poll(LOOK_MS, TimeUnit.MILLISECONDS);
                if (next != null) {
                    return unlessEnd(next);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(e);
        }
        return null;
    }

    private ChimeraException interrupted(InterruptedException cause) {
        return new ChimeraException(
                Category.WARN,
                "The search of stream " + name + " was interrupted, and the answer is incomplete; retry the query.",
                cause);
    }

    /** Returns the counters of the search so far. Any thread. */
    SearchCounts counts() {
        return counts;
    }

    /** Returns the duration of the search so far, without the time spent waiting for the reader. Any thread. */
    long searchNs() {
        return worked.until(clock.nanoTime());
    }

    /** Stops the search soon. Any thread. */
    void cancel() {
        isCancelled = true;
        search.cancel();
    }

    /** Stops the search and waits for its end. */
    @Override
    public void close() {
        cancel();
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
