package io.chimera.queue.journal;

import io.chimera.common.agent.Clock;
import java.io.IOException;
import java.util.SortedMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the low-water mark while the journal goes on: its syncs take the disk some milliseconds in every cycle, and senders
 * would wait for them. The journaler's thread asks; what is asked for is done by chores, one at a time.
 */
final class MarkWriter {
    private static final Logger LOG = LoggerFactory.getLogger(MarkWriter.class);

    /** So long a disk that refused is left alone. */
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
    private volatile State state = State.IDLE; // publishes what was done
    private SortedMap<Long, Long> asked;
    private SortedMap<Long, Long> written;
    private long askAgainNs;

    /**
     * A writer that has nothing to write.
     *
     * @param written what the file says
     */
    MarkWriter(LowWaterFile file, SortedMap<Long, Long> written, Executor chores, Clock clock) {
        this.file = file;
        this.written = written;
        this.chores = chores;
        this.clock = clock;
        askAgainNs = clock.nanoTime();
    }

    /** Whether a mark is to be written now: the file says something else, nothing is being written, the disk can be asked. */
    boolean wants(SortedMap<Long, Long> mark) {
        return state == State.IDLE && !mark.equals(written) && clock.nanoTime() - askAgainNs >= 0;
    }

    /**
     * Begins to write a mark that is wanted.
     *
     * @param before done first
     */
    void write(SortedMap<Long, Long> mark, Runnable before) {
        asked = mark;
        state = State.WRITING;
        chores.execute(() -> {
            State done = State.FAILED; // whatever is thrown
            try {
                before.run();
                file.write(mark);
                file.makeReady();
                done = State.WRITTEN;
            } catch (IOException e) {
                LOG.error(
                        "The low-water mark {} cannot be written, so the journal lets go of nothing: {}. It is tried"
                                + " again.",
                        file,
                        e.toString());
            } finally {
                state = done;
            }
        });
    }

    /** The mark that stands in the file since the last call; null when there is none. */
    SortedMap<Long, Long> takeWritten() {
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
