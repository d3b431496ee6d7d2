package io.chimera.queue.journal;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.composition.StateHorizon;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.ring.Completion;
import io.chimera.common.ring.Slot;
import io.chimera.common.wire.BatchLayout;
import io.chimera.queue.journal.Journal.Appended;
import java.nio.ByteBuffer;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Appends batches from the ring to the journal (Chimera 2017, III-C3).
 *
 * <p>Points of this node receive their sequence numbers here and nowhere else. The journaler coalesces consecutive
 * slots into one batch, and seals and appends the batch as one excerpt. A batch from a peer is already sealed and
 * appended unchanged. After each round the journaler syncs the journal by its policy and truncates the journal up to
 * the cluster's low-water mark.
 *
 * <p>A full journal accepts nothing: the slot stays in the ring, the ring fills, and senders are throttled. Senders
 * that wait for an answer are refused after 5 s. The journaler neither copies nor checks single records, and allocates
 * nothing.
 */
public final class Journaler implements Agent {
    /**
     * Maximum length of a coalesced batch: 500 points of 500 B, a size at which the overhead of a batch hardly counts.
     */
    private static final int COALESCED_LENGTH_MAX = 256 << 10;

    /**
     * Minimum length of a slot for sealing and appending in place; a copy of such a slot would cost more than
     * coalescing saves.
     */
    private static final int LENGTH_IN_PLACE = COALESCED_LENGTH_MAX / 2;

    /** Slots between two syncs: 64 of 128 KiB are 8 MiB, 10 ms of a disk with 800 MB/s. */
    private static final int SLOTS_PER_ROUND = 64;

    /** Poll interval for the low-water mark during truncation, because the disk needs some ms. */
    private static final long TRUNCATE_RETRY_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Poll interval for files whose retention has expired. */
    private static final long LOOK_EVERY_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long STATE_SLACK_MS = StateHorizon.SLACK.toMillis();

    /** Maximum time a sender waits on a full journal before it is told to retry. */
    private static final long FULL_NS_MAX = TimeUnit.SECONDS.toNanos(5);

    private static final String FULL =
            "the journal of this node is full or its disk refuses; send the points again later";

    private final Journal journal;
    private final BatchRing ring;
    private final Cluster cluster;
    private final long ownStream;
    private final Acknowledgements acknowledgements;
    private final GapListener gaps;
    private final Clock clock;
    private final Counters<QueueCounter> counters;
    private final BatchRing.SlotHandler handler = this::onSlot;
    private final BatchRing.SlotHandler emptySlots = slot -> slot.length() == 0 && slot.attachment() == null;
    private final Consumer<Slot> refuser = this::refuse;
    private final LongSupplier stateHorizonMs;
    private final CRC32C crc = new CRC32C();

    /** Records of own slots, numbered but not yet appended. */
    private final UnsafeBuffer pending = new UnsafeBuffer(ByteBuffer.allocateDirect(COALESCED_LENGTH_MAX));

    private int pendingLength = BatchLayout.HEADER_LENGTH;
    private int pendingCount;
    private boolean isPendingSealed;
    private long appendedSeq;
    private long truncatedCycle;
    private long truncateAgainNs;
    private long lookAgainNs;
    private long notedRevision = -1;
    private boolean isBroken;
    private long fullSinceNs;
    private boolean isProbeKept;
    private volatile boolean isReady = true;

    /**
     * Creates a journaler as an agent of its thread. No other thread may append to the journal.
     *
     * @param journal journal to fill; not closed by the journaler
     * @param ring ring of slots from the parsers and from the peers
     * @param cluster provides the low-water mark
     * @param ownStream stream of this start of the node, new to the journal
     * @param acknowledgements receives the completions of accepted points
     * @param gaps notified of missing batches
     * @param stateHorizonMs current state horizon of all compositions; 0 without state
     */
    public Journaler(
            Journal journal,
            BatchRing ring,
            Cluster cluster,
            long ownStream,
            Acknowledgements acknowledgements,
            GapListener gaps,
            LongSupplier stateHorizonMs,
            Clock clock,
            Counters<QueueCounter> counters) {
        if (ownStream == 0 || journal.position(ownStream) != 0) {
            throw new IllegalArgumentException("The own stream of a queue node must be new to its journal.");
        }
        this.journal = journal;
        this.ring = ring;
        this.cluster = cluster;
        this.ownStream = ownStream;
        this.acknowledgements = acknowledgements;
        this.gaps = gaps;
        this.stateHorizonMs = stateHorizonMs;
        this.clock = clock;
        truncateAgainNs = clock.nanoTime();
        lookAgainNs = truncateAgainNs;
        this.counters = counters;
    }

    @Override
    public String roleName() {
        return "journaler";
    }

    @Override
    public int doWork() {
        if (isBroken) {
            return 0;
        }
        try {
            int work = 0;
            if (flush()) {
                work = ring.poll(handler, SLOTS_PER_ROUND);
                flush();
            }
            if (!isReady && clock.nanoTime() - fullSinceNs >= FULL_NS_MAX) {
                work += refuseSenders();
            }
            sync();
            noteCycles();
            return work + truncate();
        } catch (InternalError e) {
            // The JVM throws InternalError after a failed read or write of a mapped page. The error may arrive late, so
            // from any call here.
            isBroken = true;
            isReady = false;
            throw new ChimeraException(
                    Category.FATAL,
                    "The disk of the journal failed; the last writes may be lost. The node accepts no points."
                            + " Check the disk, then restart the node.",
                    e);
        }
    }

    private void sync() {
        long begunNs = clock.nanoTime();
        if (journal.sync()) {
            counters.add(QueueCounter.JOURNAL_SYNCS, 1);
            counters.add(QueueCounter.JOURNAL_SYNC_US, TimeUnit.NANOSECONDS.toMicros(clock.nanoTime() - begunNs));
        }
    }

    /** False while the journal is full or its disk refuses. Any thread. */
    public boolean isReady() {
        return isReady;
    }

    /** Sequence number of the last accepted record of the own stream. The journaler's thread. */
    private long acceptedSeq() {
        return appendedSeq + pendingCount;
    }

    private boolean onSlot(Slot slot) {
        if (slot.length() <= BatchLayout.HEADER_LENGTH
                || slot.buffer().getLong(BatchLayout.STREAM, LITTLE_ENDIAN) == 0) {
            return onOwnSlot(slot);
        }
        return onSealedSlot(slot);
    }

    private boolean onOwnSlot(Slot slot) {
        Completion completion = (Completion) slot.attachment();
        if (completion != null && !acknowledgements.hasRoom()) {
            return false;
        }
        if (slot.length() > BatchLayout.HEADER_LENGTH && !accept(slot)) {
            return false;
        }
        if (completion != null) {
            acknowledgements.hold(acceptedSeq(), completion);
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
        BatchLayout.seal(buffer, 0, slot.length(), ownStream, appendedSeq + 1, slot.count(), crc);
        if (!appendOwn(buffer, slot.length(), slot.count())) {
            buffer.putLong(BatchLayout.STREAM, 0, LITTLE_ENDIAN); // unsealed: sealed again when there is room
            return false;
        }
        return true;
    }

    /** Appends the coalesced records; false when the journal is full, then the records stay pending. */
    private boolean flush() {
        if (pendingCount == 0) {
            return true;
        }
        if (!isPendingSealed) {
            BatchLayout.seal(pending, 0, pendingLength, ownStream, appendedSeq + 1, pendingCount, crc);
            isPendingSealed = true;
        }
        if (!appendOwn(pending, pendingLength, pendingCount)) {
            return false;
        }
        pendingLength = BatchLayout.HEADER_LENGTH;
        pendingCount = 0;
        isPendingSealed = false;
        return true;
    }

    private boolean appendOwn(UnsafeBuffer buffer, int length, int count) {
        Appended appended = journal.append(buffer, 0, length);
        if (appended == Appended.FULL) {
            return stall();
        }
        if (appended != Appended.OK) {
            throw new IllegalStateException("The journal has another end of this node's own stream: " + appended);
        }
        appendedSeq += count;
        count(QueueCounter.JOURNAL_POINTS, count, length);
        return true;
    }

    /**
     * Handles a batch from a peer. A batch of the own stream is dropped as a duplicate: only this node writes the own
     * stream.
     */
    private boolean onSealedSlot(Slot slot) {
        UnsafeBuffer buffer = slot.buffer();
        long stream = BatchLayout.stream(buffer, 0);
        Appended appended =
                stream == ownStream ? Appended.DUPLICATE : journal.append(buffer, 0, BatchLayout.length(buffer, 0));
        switch (appended) {
            case OK ->
                count(QueueCounter.JOURNAL_POINTS_COPIED, BatchLayout.count(buffer, 0), BatchLayout.length(buffer, 0));
            case DUPLICATE -> counters.increment(QueueCounter.JOURNAL_DUPLICATES);
            case GAP -> {
                counters.increment(QueueCounter.JOURNAL_GAPS);
                gaps.onGap(stream);
            }
            case FULL -> {
                return stall();
            }
        }
        return true;
    }

    private void count(QueueCounter points, int count, int length) {
        counters.add(points, count);
        counters.increment(QueueCounter.JOURNAL_BATCHES);
        counters.add(QueueCounter.JOURNAL_BYTES, length);
        if (!isReady) {
            isReady = true;
        }
    }

    private boolean stall() {
        counters.increment(QueueCounter.JOURNAL_STALLS);
        if (isReady) {
            isReady = false;
            fullSinceNs = clock.nanoTime();
        }
        return false;
    }

    /**
     * Suspends retention limits while a replay is pending, or while the newest committed cycle is old. In the second
     * case the state of a composition reaches back from the committed cycle, not from the present.
     */
    private void hold() {
        ClusterView view = cluster.view();
        boolean isOld =
                stateHorizonMs.getAsLong() > 0 && clock.epochMs() - view.low().timeMs() > STATE_SLACK_MS;
        journal.retained().hold(view.replays().isPending() || isOld);
    }

    /** Notes the cycles of a new view. Notes exist therefore before the commit of a cycle. */
    private void noteCycles() {
        ClusterView view = cluster.view();
        if (view.revision() == notedRevision) {
            return;
        }
        notedRevision = view.revision();
        for (OpenCycle open : view.cycles().values()) {
            view.cutBefore(open.cycle().number())
                    .ifPresent(before -> journal.retained().note(PastCycle.of(open.cycle(), before)));
        }
    }

    /**
     * Refuses the waiting senders in the ring and drops their points, because the senders will retry. Points without a
     * waiting sender stay. Some points always remain as a probe for the journal: the pending records, or else the first
     * slot, whose points are kept although the sender was refused.
     */
    private int refuseSenders() {
        isProbeKept = pendingCount > 0;
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

    private int truncate() {
        LowMark low = cluster.view().low();
        boolean isNew = low.cycle() > truncatedCycle;
        if (low.cycle() == 0 || clock.nanoTime() - (isNew ? truncateAgainNs : lookAgainNs) < 0) {
            return 0;
        }
        hold();
        long before = journal.bytes();
        journal.truncate(low.cut());
        counters.add(QueueCounter.JOURNAL_BYTES_TRUNCATED, Math.max(0, before - journal.bytes()));
        lookAgainNs = clock.nanoTime() + LOOK_EVERY_NS;
        if (!isNew) {
            return 0;
        }
        if (isTruncated(journal.bases(), low.cut())) {
            truncatedCycle = low.cycle();
        } else {
            truncateAgainNs = clock.nanoTime() + TRUNCATE_RETRY_NS;
        }
        return 1;
    }

    private static boolean isTruncated(SortedMap<Long, Long> bases, SortedMap<Long, Long> cut) {
        return cut.entrySet().stream().allMatch(stream -> bases.getOrDefault(stream.getKey(), 0L) >= stream.getValue());
    }

    /** Drains the ring into the journal, as far as there is room. */
    @Override
    public void onClose() {
        while (doWork() > 0) {
            // the sources are closed, so the ring runs empty
        }
    }
}
