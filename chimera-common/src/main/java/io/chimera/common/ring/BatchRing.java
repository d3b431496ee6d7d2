package io.chimera.common.ring;

import com.lmax.disruptor.EventFactory;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.YieldingWaitStrategy;
import io.chimera.api.HotPath;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A ring of pre-allocated off-heap slots between many producers and one consumer (Chimera 2017, III-C2): one event per
 * batch, never per point. A full ring refuses; it neither blocks nor grows. The consumer polls, so a ring runs on one
 * thread in a simulation as it does on many in a node.
 */
public final class BatchRing {
    private final RingBuffer<Slot> ring;
    private final Sequence consumed = new Sequence();

    /**
     * Allocates the slots at once.
     *
     * @param slots number of slots, a power of two
     * @param slotLength bytes per slot, a multiple of 64
     */
    public BatchRing(int slots, int slotLength) {
        if (!BitUtil.isPowerOfTwo(slots) || (slotLength & 63) != 0) {
            throw new IllegalArgumentException(
                    "A ring needs a power of two of slots and slots of a multiple of 64 bytes, not " + slots + " x "
                            + slotLength + ".");
        }
        EventFactory<Slot> factory = () -> new Slot(new UnsafeBuffer(ByteBuffer.allocateDirect(slotLength)));
        ring = RingBuffer.createMultiProducer(factory, slots, new YieldingWaitStrategy());
        ring.addGatingSequences(consumed);
    }

    /** Called with each slot in order; returns false to leave this and all later slots for the next poll. */
    @FunctionalInterface
    public interface SlotHandler {
        /** Deals with a slot, which is the handler's until it returns. */
        boolean onSlot(Slot slot);
    }

    /**
     * Claims the next slot for a producer. Any thread.
     *
     * @return a sequence for {@link #slot} and {@link #publish}, or -1 when the ring is full
     */
    @HotPath
    public long tryClaim() {
        try {
            return ring.hasAvailableCapacity(1) ? ring.tryNext() : -1;
        } catch (InsufficientCapacityException e) {
            return -1; // another producer took the last slot between the two calls; the exception is a constant
        }
    }

    /** The slot that was claimed. */
    @HotPath
    public Slot slot(long sequence) {
        return ring.get(sequence);
    }

    /** Hands a claimed slot to the consumer. A claimed slot must be published, if need be with length 0. */
    @HotPath
    public void publish(long sequence) {
        ring.publish(sequence);
    }

    /**
     * Hands published slots to the consumer, in order, until it refuses or none is left. The consumer's thread only.
     *
     * @param handler deals with each slot
     * @param limit the most slots to hand over
     * @return number of slots that were dealt with and are free again
     */
    @HotPath
    public int poll(SlotHandler handler, int limit) {
        long first = consumed.get() + 1;
        long next = first;
        try {
            while (next - first < limit && ring.isAvailable(next)) {
                Slot slot = ring.get(next);
                if (!handler.onSlot(slot)) {
                    break;
                }
                slot.release();
                next++;
            }
        } finally {
            consumed.set(next - 1);
        }
        return (int) (next - first);
    }

    /**
     * Shows the consumer each slot that it could poll, in order, and leaves it in the ring. Whoever refused a slot may
     * so change what it holds. The consumer's thread only.
     */
    public void forEachWaiting(Consumer<Slot> visitor) {
        for (long next = consumed.get() + 1; ring.isAvailable(next); next++) {
            visitor.accept(ring.get(next));
        }
    }

    /** Slots that are published or claimed and not consumed yet. Any thread; a snapshot. */
    public long used() {
        return ring.getBufferSize() - ring.remainingCapacity();
    }

    /** Number of slots. */
    public int capacity() {
        return ring.getBufferSize();
    }
}
