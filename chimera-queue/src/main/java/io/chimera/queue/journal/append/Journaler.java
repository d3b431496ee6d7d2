package io.chimera.queue.journal.append;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.ring.Slot;
import io.chimera.common.wire.BatchLayout;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;

/**
 * Moves batches from the ring to the journal (Chimera 2017, III-C3), as an agent of its thread. Slots of this node's
 * sources go to the {@link OwnStream}, batches of peers to the {@link CopiedStreams}. After each round the journaler
 * syncs the journal by its policy, and the {@link JournalTruncator} truncates the journal.
 *
 * <p>A full journal accepts nothing: the slot stays in the ring, the ring fills, and senders are throttled. Senders
 * that wait for an answer are refused after 5 s. {@link JournalerState} lists the states.
 */
public final class Journaler implements Agent {
    /** Slots between two syncs: 64 of 128 KiB are 8 MiB, 10 ms of a disk with 800 MB/s. */
    private static final int SLOTS_PER_ROUND = 64;

    /** Maximum time a sender waits on a full journal before it is told to retry. */
    private static final long FULL_NS_MAX = TimeUnit.SECONDS.toNanos(5);

    private final BatchRing ring;
    private final BatchAppender appender;
    private final OwnStream own;
    private final CopiedStreams copied;
    private final JournalTruncator truncator;
    private final SenderRefusal refusal;
    private final BatchRing.SlotHandler handler = this::onSlot;

    /**
     * Creates a journaler.
     *
     * @param ring ring of slots from the parsers and from the peers
     * @param appender appends to the journal; used by both streams
     */
    public Journaler(
            BatchRing ring, BatchAppender appender, OwnStream own, CopiedStreams copied, JournalTruncator truncator) {
        this.ring = ring;
        this.appender = appender;
        this.own = own;
        this.copied = copied;
        this.truncator = truncator;
        refusal = new SenderRefusal(ring);
    }

    @Override
    public String roleName() {
        return "journaler";
    }

    @Override
    public int doWork() {
        if (appender.state() == JournalerState.BROKEN) {
            return 0;
        }
        try {
            int work = 0;
            if (own.flush()) {
                work = ring.poll(handler, SLOTS_PER_ROUND);
                own.flush();
            }
            if (appender.isFullFor(FULL_NS_MAX)) {
                work += refusal.refuseAll(own.hasPending());
            }
            appender.sync();
            return work + truncator.doWork();
        } catch (InternalError e) {
            // The JVM throws InternalError after a failed read or write of a mapped page. The error may arrive late, so
            // from any call here.
            appender.fail();
            throw new ChimeraException(
                    Category.FATAL,
                    "The disk of the journal failed; the last writes may be lost. The node accepts no points."
                            + " Check the disk, then restart the node.",
                    e);
        }
    }

    private boolean onSlot(Slot slot) {
        boolean isOwn = slot.length() <= BatchLayout.HEADER_LENGTH
                || slot.buffer().getLong(BatchLayout.STREAM, LITTLE_ENDIAN) == 0;
        return isOwn ? own.onSlot(slot) : copied.onSlot(slot, own.stream());
    }

    /** False while the journal is full or its disk refuses. Any thread. */
    public boolean isReady() {
        return appender.state() == JournalerState.READY;
    }

    /** Drains the ring into the journal, as far as there is room. */
    @Override
    public void onClose() {
        while (doWork() > 0) {
            // the sources are closed, so the ring runs empty
        }
    }
}
