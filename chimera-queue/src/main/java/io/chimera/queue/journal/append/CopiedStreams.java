package io.chimera.queue.journal.append;

import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.Slot;
import io.chimera.common.wire.BatchLayout;
import io.chimera.queue.journal.Journal.Appended;
import org.agrona.concurrent.UnsafeBuffer;

/** Streams of the peers: appends their sealed batches unchanged. The journaler's thread. */
public final class CopiedStreams {
    private final BatchAppender appender;
    private final GapListener gaps;
    private final Counters<QueueCounter> counters;

    /**
     * Creates the streams.
     *
     * @param gaps notified of missing batches
     */
    public CopiedStreams(BatchAppender appender, GapListener gaps, Counters<QueueCounter> counters) {
        this.appender = appender;
        this.gaps = gaps;
        this.counters = counters;
    }

    /**
     * Accepts a batch from a peer; false when there is no room now. A batch of the own stream is dropped as a
     * duplicate: only this node writes the own stream.
     */
    boolean onSlot(Slot slot, long ownStream) {
        UnsafeBuffer buffer = slot.buffer();
        long stream = BatchLayout.stream(buffer, 0);
        Appended appended = stream == ownStream
                ? Appended.DUPLICATE
                : appender.append(
                        buffer,
                        BatchLayout.length(buffer, 0),
                        QueueCounter.JOURNAL_POINTS_COPIED,
                        BatchLayout.count(buffer, 0));
        if (appended == Appended.DUPLICATE) {
            counters.increment(QueueCounter.JOURNAL_DUPLICATES);
        } else if (appended == Appended.GAP) {
            counters.increment(QueueCounter.JOURNAL_GAPS);
            gaps.onGap(stream);
        }
        return appended != Appended.FULL;
    }
}
