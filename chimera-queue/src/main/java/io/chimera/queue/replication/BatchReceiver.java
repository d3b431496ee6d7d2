package io.chimera.queue.replication;

import io.chimera.common.channel.Connection;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.ring.Slot;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.queue.journal.Journal;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Validates the batches of one connection and copies them into the ring, on the transport's thread. */
final class BatchReceiver {
    private static final Logger LOG = LoggerFactory.getLogger(BatchReceiver.class);
    private static final long FULL = -1;

    private final BatchRing ring;
    private final Journal journal;
    private final long ownStream;
    private final Counters<QueueCounter> counters;
    private final CRC32C crc = new CRC32C();
    private final BodyReader body = new BodyReader();

    BatchReceiver(BatchRing ring, Journal journal, long ownStream, Counters<QueueCounter> counters) {
        this.ring = ring;
        this.journal = journal;
        this.ownStream = ownStream;
        this.counters = counters;
    }

    /**
     * Processes a batch frame; false when the ring is full.
     *
     * @param asked streams requested by this node over the connection
     */
    boolean take(Connection from, long[] asked, DirectBuffer buffer, int offset, int length) {
        long sequence = ring.tryClaim();
        if (sequence == FULL) {
            return false;
        }
        Slot slot = ring.slot(sequence);
        int count = 0;
        try {
            count = copy(from, asked, buffer, offset, length, slot);
        } finally {
            slot.fill(count == 0 ? 0 : length, count, null); // a slot without records is skipped
            ring.publish(sequence);
        }
        return true;
    }

    /** Copies a valid and new batch into the slot and returns the number of records; 0 for any other batch. */
    private int copy(Connection from, long[] asked, DirectBuffer buffer, int offset, int length, Slot slot) {
        if (!BatchLayout.isWhole(buffer, offset, length, crc, body) || BatchLayout.length(buffer, offset) != length) {
            refuse(from, "a damaged batch");
            return 0;
        }
        long stream = BatchLayout.stream(buffer, offset);
        if (stream == ownStream || length > slot.buffer().capacity()) {
            refuse(from, stream == ownStream ? "a batch of this node's own stream" : "a batch larger than a slot");
            return 0;
        }
        if (!contains(asked, stream)) { // in flight at the end of the subscription, or never requested
            counters.increment(QueueCounter.REPLICATION_BATCHES_UNASKED);
            return 0;
        }
        int count = BatchLayout.count(buffer, offset);
        counters.increment(QueueCounter.REPLICATION_BATCHES_RECEIVED);
        counters.add(QueueCounter.REPLICATION_BYTES_RECEIVED, length);
        if (BatchLayout.firstSeq(buffer, offset) + count - 1 <= journal.position(stream)) {
            counters.increment(QueueCounter.JOURNAL_DUPLICATES);
            return 0;
        }
        slot.buffer().putBytes(0, buffer, offset, length);
        return count;
    }

    private static boolean contains(long[] streams, long stream) {
        for (long each : streams) {
            if (each == stream) {
                return true;
            }
        }
        return false;
    }

    /** Closes a connection after an invalid frame. The subscriber reconnects to the peer after a back-off. */
    void refuse(Connection from, String what) {
        counters.increment(QueueCounter.REPLICATION_FRAMES_BAD);
        if (from.isOpen()) {
            LOG.warn("Queue node at {} sent {}; the connection is closed.", from.remote(), what);
            from.close();
        }
    }
}
