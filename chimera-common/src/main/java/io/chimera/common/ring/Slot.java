package io.chimera.common.ring;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * One slot of a {@link BatchRing}: off-heap bytes for a batch or frame, and what travels with them. Owned by the
 * producer between claim and publish, by the consumer between publish and release, by nobody else ever.
 */
public final class Slot {
    private final UnsafeBuffer buffer;
    private int length;
    private int count;
    private Object attachment;

    Slot(UnsafeBuffer buffer) {
        this.buffer = buffer;
    }

    /** The slot's bytes; their capacity is the same for all slots of a ring. */
    public UnsafeBuffer buffer() {
        return buffer;
    }

    /** Number of bytes in use. */
    public int length() {
        return length;
    }

    /** Number of records in use; 0 where the producer does not count them. */
    public int count() {
        return count;
    }

    /** What the producer sent along: whom to tell when the batch is dealt with; null when nobody. */
    public Object attachment() {
        return attachment;
    }

    /** Sets what the slot holds, before it is published. */
    public void fill(int newLength, int newCount, Object newAttachment) {
        length = newLength;
        count = newCount;
        attachment = newAttachment;
    }

    /** Lets go of what travelled along: the slot may lie idle for long. */
    void release() {
        if (attachment != null) {
            attachment = null; // a reference that is written costs the garbage collector's barrier
        }
    }
}
