package io.chimera.common.ring;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Slot of a {@link BatchRing}: off-heap bytes for a batch or frame, with their metadata. The producer owns a slot from
 * claim to publish, the consumer from publish to release; nobody else ever does.
 */
public final class Slot {
    private final UnsafeBuffer buffer;
    private int length;
    private int count;
    private Object attachment;

    Slot(UnsafeBuffer buffer) {
        this.buffer = buffer;
    }

    /** Bytes of the slot; all slots of a ring have the same capacity. */
    public UnsafeBuffer buffer() {
        return buffer;
    }

    /** Number of used bytes. */
    public int length() {
        return length;
    }

    /** Number of records; 0 if the producer does not count records. */
    public int count() {
        return count;
    }

    /** Object of the producer, e.g. the callback for a processed batch; may be null. */
    public Object attachment() {
        return attachment;
    }

    /** Sets the metadata of the slot before the publication. */
    public void fill(int newLength, int newCount, Object newAttachment) {
        length = newLength;
        count = newCount;
        attachment = newAttachment;
    }

    /** Drops the reference to the attachment, because the slot may stay idle for a long time. */
    void release() {
        if (attachment != null) {
            attachment = null; // skips the GC write barrier when the reference is unchanged
        }
    }
}
