package io.chimera.dataset.copy;

import io.chimera.common.agent.Clock;

/** Counts the use of copies by a job. Any thread. */
final class CopyCounts {
    private final Clock clock;
    private long readBytes;
    private long writtenBytes;
    private long notKeptBytes;
    private long damagedBlocks;
    private String trouble = "";
    private int writing;
    private long writingSinceNs;
    private long writingNs;

    CopyCounts(Clock clock) {
        this.clock = clock;
    }

    synchronized CopyTotals totals() {
        long now = writing > 0 ? clock.nanoTime() - writingSinceNs : 0;
        return new CopyTotals(readBytes, writtenBytes, writingNs + now, notKeptBytes, damagedBlocks, trouble);
    }

    synchronized void read(int bytes) {
        readBytes += bytes;
    }

    synchronized void damaged() {
        damagedBlocks++;
    }

    synchronized void beginWrite() {
        if (writing++ == 0) {
            writingSinceNs = clock.nanoTime();
        }
    }

    synchronized void endWrite(int bytes) {
        if (--writing == 0) {
            writingNs += clock.nanoTime() - writingSinceNs;
        }
        writtenBytes += bytes;
    }

    synchronized void notKept(int bytes, String reason) {
        notKeptBytes += bytes;
        if (!reason.isEmpty()) {
            trouble = reason;
        }
    }
}
