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
 * Brings what lies in the ring into the journal (Chimera 2017, III-C3). Points of this node get their sequence numbers here
 * and nowhere else: slots that follow each other are drawn together into one batch, which is sealed and appended as one
 * excerpt. A batch that came from a peer is sealed already and appended as it is. After each round the journal is synced as
 * its policy wants, and lets go of what the cluster's low-water mark has passed.
 *
 * <p>A full journal takes nothing: the slot stays where it is, the ring fills, and those who send are made to wait; who waits
 * for an answer is refused after 5 s. No record is copied or checked one by one, nothing is allocated.
 */
public final class Journaler implements Agent {
    /** Slots are drawn together up to here: 500 points of 500 B, at which a batch costs little more than its bytes. */
    private static final int COALESCED_LENGTH_MAX = 256 << 10;

    /** A slot that is at least so long is sealed and appended where it is; copying it would cost more than it saves. */
    private static final int LENGTH_IN_PLACE = COALESCED_LENGTH_MAX / 2;

    /** Slots between two syncs: 64 of 128 KiB are 8 MiB, 10 ms of a disk with 800 MB/s. */
    private static final int SLOTS_PER_ROUND = 64;

    /** How often it is looked whether the mark stands below which everything is let go of: the disk takes some ms. */
    private static final long TRUNCATE_RETRY_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** How often it is looked whether something has been retained long enough. */
    private static final long LOOK_EVERY_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long STATE_SLACK_MS = StateHorizon.SLACK.toMillis();

    /** So long senders wait for a full journal before they are told to come again. */
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

    /** Records of own slots that are numbered and not appended yet. */
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
     * A journaler that is one agent of its thread; nobody else appends to the journal.
     *
     * @param journal is filled, not closed
     * @param ring from the parsers and from the peers
     * @param cluster shows the low-water mark
     * @param ownStream the stream that this start of the node stamps, new to the journal
     * @param acknowledgements told of what is accepted
     * @param gaps told of what is missing
     * @param stateHorizonMs how far back the state of compositions reaches now; 0 when there is none
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
            throw new IllegalArgumentException("A start of a queue node stamps a stream that is new to its journal.");
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
            // The JVM's word for a mapped page that the disk did not give or take; it may come late, so from anywhere
            // here.
            isBroken = true;
            isReady = false;
            throw new ChimeraException(
                    Category.FATAL,
                    "The disk of the journal failed; what was written last may be lost. Nothing more is accepted. Look"
                            + " after the disk, then restart the node.",
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

    /** False while the journal takes nothing. Any thread. */
    public boolean isReady() {
        return isReady;
    }

    /** Sequence number of the last record of the own stream that was accepted. The journaler's thread. */
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
            buffer.putLong(BatchLayout.STREAM, 0, LITTLE_ENDIAN); // to be sealed again when there is room
            return false;
        }
        return true;
    }

    /** Appends the records that were drawn together; false when the journal is full and keeps them pending. */
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
            throw new IllegalStateException("The journal holds another end of this node's own stream: " + appended);
        }
        appendedSeq += count;
        count(QueueCounter.JOURNAL_POINTS, count, length);
        return true;
    }

    /** A batch of a peer. One of the own stream cannot be: who stamps it is here. It is dropped as a duplicate. */
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
     * While a replay is asked for, or the newest committed cycle is old, nothing is let go of for its age: the state of a
     * composition reaches back from that cycle, and not from now.
     */
    private void hold() {
        ClusterView view = cluster.view();
        boolean isOld =
                stateHorizonMs.getAsLong() > 0 && clock.epochMs() - view.low().timeMs() > STATE_SLACK_MS;
        journal.retained().hold(view.replays().isPending() || isOld);
    }

    /** Notes the cycles that a new view shows: what they contain is known before they are committed. */
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
     * Tells senders in the ring that their points are not taken and drops these, for they will be sent again; points that
     * nobody waits for stay. Something is always left to try the journal with: what is pending, or else the first slot,
     * whose points are kept though their sender was refused.
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

    /** Brings in what was accepted and lies in the ring, as far as there is room. */
    @Override
    public void onClose() {
        while (doWork() > 0) {
            // the sources are closed, so the ring runs dry
        }
    }
}
