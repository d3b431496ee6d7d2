package io.chimera.queue.journal.append;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.Completion;
import io.chimera.common.ring.Slot;
import io.chimera.common.wire.BatchLayout;
import io.chimera.queue.journal.Journal.Appended;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Stream of the points accepted by this start of the node. Points receive their sequence numbers here and nowhere else.
 * The stream coalesces consecutive slots into one batch, seals the batch, and appends the batch as one excerpt. Single
 * records are neither copied one by one nor checked, and nothing is allocated. The journaler's thread.
 */
public final class OwnStream {
    /**
     * Maximum length of a coalesced batch: 500 points of 500 B, a size at which the overhead of a batch hardly counts.
     */
    private static final int COALESCED_LENGTH_MAX = 256 << 10;

    /**
     * Minimum length of a slot for sealing and appending in place; a copy of such a slot would cost more than
     * coalescing saves.
     */
    private static final int LENGTH_IN_PLACE = COALESCED_LENGTH_MAX / 2;

    private final BatchAppender appender;
    private final long stream;
    private final Acknowledgements acknowledgements;
    private final CRC32C crc = new CRC32C();

    /** Records of own slots, numbered but not yet appended. */
    private final UnsafeBuffer pending = new UnsafeBuffer(ByteBuffer.allocateDirect(COALESCED_LENGTH_MAX));

    private int pendingLength = BatchLayout.HEADER_LENGTH;
    private int pendingCount;
    private boolean isPendingSealed;
    private long appendedSeq;

    /**
     * Creates an empty stream.
     *
     * @param stream stream of this start of the node, new to the journal
     * @param acknowledgements receives the completions of accepted points
     */
    public OwnStream(BatchAppender appender, long stream, Acknowledgements acknowledgements) {
        if (stream == 0 || appender.position(stream) != 0) {
            throw new IllegalArgumentException("The own stream of a queue node must be new to its journal.");
        }
        this.appender = appender;
        this.stream = stream;
        this.acknowledgements = acknowledgements;
    }

    long stream() {
        return stream;
    }

    boolean hasPending() {
        return pendingCount > 0;
    }

    /** Accepts the points of a source; false when there is no room now. */
    boolean onSlot(Slot slot) {
        Completion completion = (Completion) slot.attachment();
        if (completion != null && !acknowledgements.hasRoom()) {
            return false;
        }
        if (slot.length() > BatchLayout.HEADER_LENGTH && !accept(slot)) {
            return false;
        }
        if (completion != null) {
            acknowledgements.hold(appendedSeq + pendingCount, completion);
        }
        return true;
    }

    private boolean accept(Slot slot) {
        int recordsLength = slot.length() - BatchLayout.HEADER_LENGTH;
        if (pendingLength + recordsLength > COALESCED_LENGTH_MAX && !flush()) {
            return false;
        }
        if (slot.length() >= LENGTH_IN_PLACE && pendingCount == 0) {
            return appendInPlace(slot);
        }
        pending.putBytes(pendingLength, slot.buffer(), BatchLayout.HEADER_LENGTH, recordsLength);
        pendingLength += recordsLength;
        pendingCount += slot.count();
        return true;
    }

    private boolean appendInPlace(Slot slot) {
        UnsafeBuffer buffer = slot.buffer();
        BatchLayout.seal(buffer, 0, slot.length(), stream, appendedSeq + 1, slot.count(), crc);
        if (!append(buffer, slot.length(), slot.count())) {
            buffer.putLong(BatchLayout.STREAM, 0, LITTLE_ENDIAN); // unsealed: sealed again when there is room
            return false;
        }
        return true;
    }

    /** Appends the coalesced records; false when the journal is full, then the records stay pending. */
    boolean flush() {
        if (pendingCount == 0) {
            return true;
        }
        if (!isPendingSealed) {
            BatchLayout.seal(pending, 0, pendingLength, stream, appendedSeq + 1, pendingCount, crc);
            isPendingSealed = true;
        }
        if (!append(pending, pendingLength, pendingCount)) {
            return false;
        }
        pendingLength = BatchLayout.HEADER_LENGTH;
        pendingCount = 0;
        isPendingSealed = false;
        return true;
    }

    private boolean append(UnsafeBuffer buffer, int length, int count) {
        Appended appended = appender.append(buffer, length, QueueCounter.JOURNAL_POINTS, count);
        if (appended == Appended.FULL) {
            return false;
        }
        if (appended != Appended.OK) {
            throw new IllegalStateException("The journal has another end of this node's own stream: " + appended);
        }
        appendedSeq += count;
        return true;
    }
}
