package io.chimera.common.ring;

import com.lmax.disruptor.EventFactory;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.YieldingWaitStrategy;
import io.chimera.api.HotPath;
import io.chimera.common.agent.Wakeup;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Ring of pre-allocated off-heap slots between many producers and one consumer (Chimera 2017, III-C2): one event per
 * batch, never per point. A full ring refuses claims; a ring neither blocks nor grows. The consumer polls, so a ring
 * works with one thread in a simulation as well as with many threads in a node.
 */
public final class BatchRing {
    private final RingBuffer<Slot> ring;
    private final Sequence consumed = new Sequence();
    private final Wakeup wakeup = new Wakeup();

    /**
     * Creates a ring and allocates all slots.
     *
     * @param slots number of slots, a power of two
     * @param slotLength bytes per slot, a multiple of 64
     */
    public BatchRing(int slots, int slotLength) {
        if (!BitUtil.isPowerOfTwo(slots) || (slotLength & 63) != 0) {
            throw new IllegalArgumentException(
                    "The number of slots must be a power of two and the slot length a multiple of 64 bytes, not "
                            + slots + " x " + slotLength + ".");
        }
        EventFactory<Slot> factory = () -> new Slot(new UnsafeBuffer(ByteBuffer.allocateDirect(slotLength)));
        ring = RingBuffer.createMultiProducer(factory, slots, new YieldingWaitStrategy());
        ring.addGatingSequences(consumed);
    }

    /** Handler of slots, called in order; returning false leaves this slot and all later slots for the next poll. */
    @FunctionalInterface
    public interface SlotHandler {
        /** Processes a slot; the handler owns the slot during the call. */
        boolean onSlot(Slot slot);
    }

    /**
     * Claims the next slot for a producer. Any thread.
     *
     * @return a sequence for {@link #slot} and {@link #publish}, or -1 if the ring is full
     */
    @HotPath
    public long tryClaim() {
        try {
            return ring.hasAvailableCapacity(1) ? ring.tryNext() : -1;
        } catch (InsufficientCapacityException e) {
            return -1; // another producer claimed the last slot in between; the exception is a constant
        }
    }

    /** Returns a claimed slot. */
    @HotPath
    public Slot slot(long sequence) {
        return ring.get(sequence);
    }

    /**
     * Publishes a claimed slot to the consumer, and wakes the consumer. Producers must publish every claimed slot, an
     * unused slot with length 0.
     */
    @HotPath
    public void publish(long sequence) {
        ring.publish(sequence);
        VarHandle.fullFence(); // the slot is visible before the wakeup looks for a sleeper
        wakeup.wake();
    }

    /** Returns the wakeup of the consumer's thread. */
    public Wakeup wakeup() {
        return wakeup;
    }

    /**
     * Passes published slots to the handler, in order, until the handler refuses a slot or no slot is left. Consumer
     * thread only.
     *
     * @param handler processes each slot
     * @param limit maximum number of slots
     * @return number of processed slots, now free again
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
     * Passes each published slot to a visitor, in order, without consuming the slots. After refusing a slot, the
     * consumer may change the content of waiting slots with this method. Consumer thread only.
     */
    public void forEachWaiting(Consumer<Slot> visitor) {
        for (long next = consumed.get() + 1; ring.isAvailable(next); next++) {
            visitor.accept(ring.get(next));
        }
    }

    /** Number of slots claimed or published but not yet consumed. Any thread; a snapshot. */
    public long used() {
        return ring.getBufferSize() - ring.remainingCapacity();
    }

    /** Number of slots. */
    public int capacity() {
        return ring.getBufferSize();
    }
}
