package io.chimera.queue.dispatch;

import io.chimera.common.wire.PartId;
import io.chimera.common.wire.Slice;

/** Send progress of one part of a shard. {@link SendPhase} lists the states. The channel manager's thread. */
final class SendState {
    private final PartId id;
    private long processor;
    private long connection;
    private int transmission;
    private Slice slice = Slice.WHOLE;
    private SendPhase phase = SendPhase.PENDING;

    SendState(PartId id) {
        this.id = id;
    }

    PartId id() {
        return id;
    }

    long processor() {
        return processor;
    }

    /**
     * Adapts to the current receiver. Another processor starts from nothing. A new connection also starts from nothing,
     * unless the processor already holds the part, because a processor keeps its parts for the life of its session.
     */
    void align(long processorSession, long connectionNumber) {
        boolean isOther = processorSession != processor;
        slice = isOther ? Slice.WHOLE : slice;
        if (isOther || (connectionNumber != connection && phase != SendPhase.HELD)) {
            phase = SendPhase.PENDING;
        }
        processor = processorSession;
        connection = connectionNumber;
    }

    boolean isPending() {
        return phase == SendPhase.PENDING;
    }

    boolean isHeld() {
        return phase == SendPhase.HELD;
    }

    boolean isSendingBy(int number) {
        return phase == SendPhase.SENDING && transmission == number;
    }

    void sending(int number) {
        phase = SendPhase.SENDING;
        transmission = number;
    }

    void sent() {
        phase = SendPhase.SENT;
    }

    /** Handles the end of a transmission without success. */
    void abandoned(int number) {
        if (isSendingBy(number)) {
            phase = SendPhase.PENDING;
        }
    }

    /** Slice of the shard for the processor. */
    Slice slice() {
        return slice;
    }

    /** Handles an OK: the processor holds a slice of the part. */
    void held(long processorSession, Slice held) {
        if (processorSession == processor && held.equals(slice)) {
            phase = SendPhase.HELD;
        }
    }

    /** Handles a NEED: the processor lacks a slice of the part. Ignored while the same slice is being sent. */
    void needed(long processorSession, Slice needed) {
        if (processorSession == processor && (phase != SendPhase.SENDING || !needed.equals(slice))) {
            slice = needed;
            phase = SendPhase.PENDING;
        }
    }
}
