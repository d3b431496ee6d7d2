package io.chimera.queue.journal;

import io.chimera.common.agent.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides how long files stay when everything in them is committed: as long and as many bytes as configured, so that past
 * cycles can be replayed. It never has a say where room is needed: what is retained goes first. The journaler's thread.
 */
final class Retention {
    private volatile long forMs;
    private final long bytesMax;
    private final Clock clock;

    Retention(JournalSettings settings, Clock clock) {
        forMs = settings.retainMs();
        bytesMax = settings.retainBytes();
        this.clock = clock;
    }

    /** Keeps files for at least so long from now on, whatever the configuration says. Any thread. */
    synchronized void atLeast(long ms) {
        forMs = Math.max(forMs, ms);
    }

    /** Files that are found committed when the journal is opened were so since they were written last, as far as one knows. */
    void found(List<RollFile> done) throws IOException {
        for (RollFile file : done) {
            long writtenMs = Files.getLastModifiedTime(file.path()).toMillis();
            file.doneSinceMs(Math.max(1, Math.min(clock.epochMs(), writtenMs)));
        }
    }

    /**
     * The files that need not stay.
     *
     * @param done files all of whose records are committed, oldest first
     */
    List<RollFile> surplus(List<RollFile> done) {
        long nowMs = clock.epochMs();
        long bytes = done.stream().mapToLong(RollFile::bytes).sum();
        List<RollFile> surplus = new ArrayList<>();
        for (RollFile file : done) {
            if (file.doneSinceMs() == 0) {
                file.doneSinceMs(nowMs);
            }
            boolean isOver = nowMs - file.doneSinceMs() >= forMs;
            if (isOver || bytes > bytesMax || file.isEmpty()) {
                surplus.add(file);
                bytes -= file.bytes();
            }
        }
        return surplus;
    }
}
