package io.chimera.archive.query;

import io.chimera.archive.index.Index;
import io.chimera.archive.index.IndexSearch;
import io.chimera.archive.index.Interval;
import io.chimera.archive.index.Probe;
import io.chimera.archive.index.SearchCounts;
import io.chimera.archive.streamfs.RecordHandle;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Intervals of one data stream that may hold what is asked for, in the order of appending. A thread of its own searches the index
 * a bounded way ahead of whoever reads them, so that feeds of several streams can be merged.
 */
final class IntervalFeed implements AutoCloseable {
    /** 64 intervals ahead are 4 MiB of data to read: the index is never what is waited for. */
    private static final int AHEAD = 64;

    private static final long LOOK_MS = 20;
    private static final Interval END = new Interval(new RecordHandle(0, 0), 0, 0, 0, 0);
    static final SearchCounts NOTHING = new SearchCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    private final String name;
    private final IndexSearch search;
    private final BlockingQueue<Interval> found = new ArrayBlockingQueue<>(AHEAD);
    private final Thread thread;
    private volatile SearchCounts counts = NOTHING;
    private volatile Throwable failure;
    private volatile boolean isClosed;
    private boolean isOver;

    IntervalFeed(Index index, Probe probe, long afterNs, long beforeNs, String name) {
        this.name = name;
        search = index.search();
        thread = new Thread(() -> run(probe, afterNs, beforeNs), "search-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void run(Probe probe, long afterNs, long beforeNs) {
        try (search) {
            counts = search.search(probe, afterNs, beforeNs, interval -> {
                counts = search.counts();
                return put(interval);
            });
        } catch (Throwable e) { // an Error too: without it the answer would end as if it were whole
            failure = e;
        } finally {
            put(END);
        }
    }

    private boolean put(Interval interval) {
        try {
            while (!isClosed) {
                if (found.offer(interval, LOOK_MS, TimeUnit.MILLISECONDS)) {
                    return true;
                }
            }
        } catch (InterruptedException e) {
            throw interrupted(e); // the flag stays down: the thread ends, and its end is to be told
        }
        return false;
    }

    /**
     * The next interval.
     *
     * @return null at the end
     * @throws ChimeraException when the index cannot be searched, or this thread was interrupted: there would be more
     */
    Interval next() {
        if (!isOver) {
            Interval next = take();
            if (next.number() != END.number()) {
                return next;
            }
            isOver = true;
        }
        Throwable thrown = failure;
        if (thrown instanceof ChimeraException e) {
            throw e;
        }
        if (thrown != null) {
            throw new ChimeraException(
                    Category.ERROR,
                    "The search of stream " + name + " failed, and the answer is not whole: " + thrown
                            + ". Ask again; if it fails again, restart the archive and report it.",
                    thrown);
        }
        return null;
    }

    private Interval take() {
        try {
            return found.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(e);
        }
    }

    private ChimeraException interrupted(InterruptedException cause) {
        return new ChimeraException(
                Category.WARN,
                "The search of stream " + name + " was interrupted, and the answer is not whole; ask again.",
                cause);
    }

    /** What the search has done up to now. Any thread. */
    SearchCounts counts() {
        return counts;
    }

    /** Ends the search, and waits for it. */
    @Override
    public void close() {
        isClosed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
