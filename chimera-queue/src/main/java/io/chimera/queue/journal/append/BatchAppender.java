package io.chimera.queue.journal.append;

import io.chimera.common.agent.Clock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.journal.Journal;
import io.chimera.queue.journal.Journal.Appended;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Appends sealed batches to the journal, syncs the journal, and keeps the {@link JournalerState}. The journaler's
 * thread.
 */
public final class BatchAppender {
    private final Journal journal;
    private final Clock clock;
    private final Counters<QueueCounter> counters;
    private volatile JournalerState state = JournalerState.READY;
    private long fullSinceNs;

    /**
     * Creates an appender. No other thread may append to the journal.
     *
     * @param journal journal to fill; not closed by the appender
     */
    public BatchAppender(Journal journal, Clock clock, Counters<QueueCounter> counters) {
        this.journal = journal;
        this.clock = clock;
        this.counters = counters;
    }

    /** State of the journal. Any thread. */
    JournalerState state() {
        return state;
    }

    /** Whether the journal has accepted nothing for at least the given time. */
    boolean isFullFor(long ns) {
        return state == JournalerState.FULL && clock.nanoTime() - fullSinceNs >= ns;
    }

    /** Ends all appends: the disk failed. */
    void fail() {
        state = JournalerState.BROKEN;
    }

    /** Sequence number of the last appended record of a stream; 0 for an empty stream. */
    long position(long stream) {
        return journal.position(stream);
    }

    /**
     * Appends a sealed batch.
     *
     * @param points counter of the records of an appended batch
     * @param count number of records
     */
    Appended append(UnsafeBuffer buffer, int length, QueueCounter points, int count) {
        Appended appended = journal.append(buffer, 0, length);
        if (appended == Appended.OK) {
            counters.add(points, count);
            counters.increment(QueueCounter.JOURNAL_BATCHES);
            counters.add(QueueCounter.JOURNAL_BYTES, length);
            if (state == JournalerState.FULL) {
                state = JournalerState.READY;
            }
        } else if (appended == Appended.FULL) {
            counters.increment(QueueCounter.JOURNAL_STALLS);
            if (state == JournalerState.READY) {
                state = JournalerState.FULL;
                fullSinceNs = clock.nanoTime();
            }
        }
        return appended;
    }

    /** Makes appended batches durable when the sync policy requires a sync now. */
    void sync() {
        long begunNs = clock.nanoTime();
        if (journal.sync()) {
            counters.add(QueueCounter.JOURNAL_SYNCS, 1);
            counters.add(QueueCounter.JOURNAL_SYNC_US, TimeUnit.NANOSECONDS.toMicros(clock.nanoTime() - begunNs));
        }
    }
}
