package io.chimera.dataset.job;

import io.chimera.common.agent.Clock;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Counts the windows of a merge in the order of time, and records how far the rows are stored. One thread. */
final class StoredWindows {
    /** Period of the records how far the rows are stored; rows since the last record are written again. */
    private static final long RECORD_NS = TimeUnit.SECONDS.toNanos(1);

    private final Clock clock;
    private final RowsOfJob.Bookmark bookmark;
    private final JobProgress progress;
    private final long recorded;
    private long recordedNs;
    private boolean hasWindow;
    private long startNs;
    private int seen;

    /**
     * Begins before the first window.
     *
     * @param clock time between records of the bookmark
     * @param bookmark how far the rows are stored
     * @param progress counts the windows
     * @throws IOException when the bookmark cannot be read
     */
    StoredWindows(Clock clock, RowsOfJob.Bookmark bookmark, JobProgress progress) throws IOException {
        this.clock = clock;
        this.bookmark = bookmark;
        this.progress = progress;
        recorded = bookmark.lastNs();
        recordedNs = clock.nanoTime();
    }

    /** Returns whether an earlier run has stored a window. */
    boolean isStoredBefore(long windowStartNs) {
        return windowStartNs <= recorded;
    }

    /** Returns the number of windows that ended or began so far. */
    int seen() {
        return seen;
    }

    /** Begins to store a group of a window; a new window ends the last one. */
    void enter(long windowStartNs) throws IOException {
        if (hasWindow && startNs == windowStartNs) {
            return;
        }
        if (hasWindow) {
            end(false);
        }
        hasWindow = true;
        startNs = windowStartNs;
        seen++;
    }

    /** Ends the last window. */
    void finish() throws IOException {
        if (hasWindow) {
            end(true);
        }
        progress.hasWindows(seen);
    }

    private void end(boolean isLast) throws IOException {
        progress.windowStored();
        if (startNs > recorded && (isLast || clock.nanoTime() - recordedNs > RECORD_NS)) {
            bookmark.record(startNs);
            recordedNs = clock.nanoTime();
        }
    }
}
