package io.chimera.queue.journal.retention;

import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.Positions;
import io.chimera.queue.journal.folder.LowWaterFile;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the low-water mark in the background. The syncs of the mark take some milliseconds of the disk in every cycle,
 * and senders would otherwise wait for these syncs. The journaler's thread requests writes; the chores executor runs
 * one write at a time.
 */
public final class MarkWriter {
    private static final Logger LOG = LoggerFactory.getLogger(MarkWriter.class);

    /** Delay between write attempts after a disk error. */
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

    private enum State {
        IDLE,
        WRITING,
        WRITTEN,
        FAILED
    }

    private final LowWaterFile file;
    private final Executor chores;
    private final Clock clock;
    private volatile State state = State.IDLE; // publishes the results of the write
    private Positions asked;
    private Positions written;
    private long askAgainNs;

    /**
     * Creates an idle writer.
     *
     * @param written present content of the file
     */
    public MarkWriter(LowWaterFile file, Positions written, Executor chores, Clock clock) {
        this.file = file;
        this.written = written;
        asked = written;
        this.chores = chores;
        this.clock = clock;
        askAgainNs = clock.nanoTime();
    }

    /** Whether to write a mark now: the file has another content, no write is running, and no retry delay applies. */
    boolean wants(Positions mark) {
        return state == State.IDLE && !mark.equals(written) && clock.nanoTime() - askAgainNs >= 0;
    }

    /**
     * Begins to write a mark.
     *
     * @param before task to run before the write
     */
    void write(Positions mark, Runnable before) {
        asked = mark;
        state = State.WRITING;
        chores.execute(() -> {
            State done = State.FAILED; // result for any exception
            try {
                before.run();
                file.write(mark);
                file.makeReady();
                done = State.WRITTEN;
            } catch (IOException e) {
                LOG.error(
                        "Cannot write the low-water mark {}, so the journal deletes no files: {}. The write is"
                                + " retried.",
                        file,
                        e.toString());
            } finally {
                state = done;
            }
        });
    }

    /** The mark written since the last call; null when no write has succeeded. */
    @Nullable
    Positions takeWritten() {
        State now = state;
        if (now == State.IDLE || now == State.WRITING) {
            return null;
        }
        state = State.IDLE;
        if (now == State.FAILED) {
            askAgainNs = clock.nanoTime() + RETRY_NS;
            return null;
        }
        written = asked;
        return written;
    }
}
