package io.chimera.queue.journal.append;

import io.chimera.common.ring.BatchRing;
import io.chimera.common.ring.Completion;
import io.chimera.common.ring.Slot;
import java.util.function.Consumer;

/**
 * Refuses the waiting senders in the ring and drops their points, because the senders will retry. Points without a
 * waiting sender stay. The journaler's thread.
 */
final class SenderRefusal {
    private static final String FULL =
            "the journal of this node is full or its disk refuses; send the points again later";

    private final BatchRing ring;
    private final BatchRing.SlotHandler emptySlots = slot -> slot.length() == 0 && slot.attachment() == null;
    private final Consumer<Slot> refuser = this::refuse;
    private boolean isProbeKept;

    SenderRefusal(BatchRing ring) {
        this.ring = ring;
    }

    /**
     * Refuses all waiting senders. Some points always remain as a probe for the journal: the pending records, or else
     * the first slot, whose points are kept although the sender was refused.
     *
     * @param hasProbe whether records are pending
     * @return number of emptied slots
     */
    int refuseAll(boolean hasProbe) {
        isProbeKept = hasProbe;
        ring.forEachWaiting(refuser);
        return ring.poll(emptySlots, ring.capacity());
    }

    private void refuse(Slot slot) {
        if (slot.attachment() instanceof Completion completion) {
            slot.fill(isProbeKept ? 0 : slot.length(), isProbeKept ? 0 : slot.count(), null);
            completion.failed(FULL);
        }
        isProbeKept = true;
    }
}
