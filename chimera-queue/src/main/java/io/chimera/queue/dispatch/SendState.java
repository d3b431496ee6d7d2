package io.chimera.queue.dispatch;

import io.chimera.common.wire.Slice;

/** How far the sending of one part of a shard of a cycle has come. The channel manager's thread. */
final class SendState {
    private enum Phase {
        /** Nothing was sent, or what was sent does not count. */
        PENDING,
        /** A transmission is at it. */
        SENDING,
        /** All is sent; the processor has not answered yet. */
        SENT,
        /** The processor holds it. */
        HELD
    }

    private final long cycle;
    private final int part;
    private final int shard;
    private long processor;
    private long connection;
    private int transmission;
    private Slice slice = Slice.WHOLE;
    private Phase phase = Phase.PENDING;

    SendState(long cycle, int part, int shard) {
        this.cycle = cycle;
        this.part = part;
        this.shard = shard;
    }

    long cycle() {
        return cycle;
    }

    int part() {
        return part;
    }

    int shard() {
        return shard;
    }

    long processor() {
        return processor;
    }

    /**
     * Aligns with who is to receive: another processor begins from nothing, and so does a new connection unless the
     * processor holds the part already, for it keeps what it holds as long as it lives.
     */
    void align(long processorSession, long connectionNumber) {
        boolean isOther = processorSession != processor;
        slice = isOther ? Slice.WHOLE : slice;
        if (isOther || (connectionNumber != connection && phase != Phase.HELD)) {
            phase = Phase.PENDING;
        }
        processor = processorSession;
        connection = connectionNumber;
    }

    boolean isPending() {
        return phase == Phase.PENDING;
    }

    boolean isHeld() {
        return phase == Phase.HELD;
    }

    boolean isSendingBy(int number) {
        return phase == Phase.SENDING && transmission == number;
    }

    void sending(int number) {
        phase = Phase.SENDING;
        transmission = number;
    }

    void sent() {
        phase = Phase.SENT;
    }

    /** The transmission gave up. */
    void abandoned(int number) {
        if (isSendingBy(number)) {
            phase = Phase.PENDING;
        }
    }

    /** The slice of the shard that the processor is to receive. */
    Slice slice() {
        return slice;
    }

    /** The processor says that it holds a slice of the part. */
    void held(long processorSession, Slice held) {
        if (processorSession == processor && held.equals(slice)) {
            phase = Phase.HELD;
        }
    }

    /** The processor says that it lacks a slice of the part; while that slice is on its way, what it lacks is coming. */
    void needed(long processorSession, Slice needed) {
        if (processorSession == processor && (phase != Phase.SENDING || !needed.equals(slice))) {
            slice = needed;
            phase = Phase.PENDING;
        }
    }
}
