package io.chimera.queue.journal.retention;

import io.chimera.common.agent.Clock;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.index.RollFile;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides how long fully committed files stay for replays of past cycles, by the configured time and bytes. Retention
 * ends early when new records need the room. The journaler's thread.
 */
public final class Retention {
    private volatile long forMs;
    private boolean isHeld;
    private final long bytesMax;
    private final Clock clock;

    public Retention(JournalSettings settings, Clock clock) {
        forMs = settings.retention().ms();
        bytesMax = settings.retention().bytes();
        this.clock = clock;
    }

    /** Raises the retention time to at least {@code ms} milliseconds, regardless of the configuration. Any thread. */
    public synchronized void atLeast(long ms) {
        forMs = Math.max(forMs, ms);
    }

    /** Suspends or resumes the expiry of files. */
    public void hold(boolean nowHeld) {
        isHeld = nowHeld;
    }

    /** Assumes the last write time as the commit time of files already committed when the journal opens. */
    public void found(List<RollFile> done) throws IOException {
        for (RollFile file : done) {
            long writtenMs = Files.getLastModifiedTime(file.path()).toMillis();
            file.doneSinceMs(Math.max(1, Math.min(clock.epochMs(), writtenMs)));
        }
    }

    /**
     * Returns the files whose retention has expired; none while retention is held.
     *
     * @param done fully committed files, oldest first
     */
    public List<RollFile> surplus(List<RollFile> done) {
        if (isHeld) {
            return List.of();
        }
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
