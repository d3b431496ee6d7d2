package io.chimera.queue.journal.append;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.cluster.control.ControlCopy;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.ring.Completion;
import io.chimera.common.ring.Slot;
import io.chimera.common.wire.BatchFeed;
import io.chimera.common.wire.BatchLayout;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.Journal;
import io.chimera.queue.journal.JournalContract;
import io.chimera.queue.journal.JournalIdentity;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.MemoryJournal;
import io.chimera.queue.journal.Retained;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import io.chimera.queue.journal.chronicle.ChronicleJournal;
import io.chimera.testkit.cluster.MemoryCluster;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JournalerTest {
    private static final long OWN = 0x0EL;
    private static final long PEER = 0xFEL;
    private static final int SLOTS = 64;

    private final ManualClock clock = new ManualClock();
    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    private final MemoryJournal journal = new MemoryJournal(SyncPolicy.BATCH, 1, clock);
    private final BatchRing ring = new BatchRing(SLOTS, BatchLayout.LENGTH_MAX);
    private final MemoryCluster cluster = MemoryCluster.immediate();
    private final Held held = new Held();
    private final List<Long> gaps = new ArrayList<>();
    private final Journaler journaler = journaler(journal);
    private final Batches batches = new Batches();
    private int accepted;

    /** Records the completions to be held back. */
    private static final class Held implements Acknowledgements {
        private final List<Long> seqs = new ArrayList<>();
        private int capacity = 100;

        @Override
        public boolean hasRoom() {
            return seqs.size() < capacity;
        }

        @Override
        public void hold(long seq, Completion completion) {
            seqs.add(seq);
        }
    }

    /** Records the failure. */
    private static final class Sender implements Completion {
        private String failure;

        @Override
        public void journaled() {}

        @Override
        public void failed(String reason) {
            failure = reason;
        }
    }

    private static final class Nobody implements Completion {
        @Override
        public void journaled() {}

        @Override
        public void failed(String reason) {}
    }

    private Journaler journaler(Journal to) {
        BatchAppender appender = new BatchAppender(to, clock, counters);
        return new Journaler(
                ring,
                appender,
                new OwnStream(appender, OWN, held),
                new CopiedStreams(appender, gaps::add, counters),
                new JournalTruncator(to, cluster.join(), () -> 0, clock, counters));
    }

    /** Puts records of this node into a slot, like a source. */
    private void put(int count, int textLength, Completion completion) {
        long sequence = ring.tryClaim();
        Slot slot = ring.slot(sequence);
        slot.buffer().putLong(BatchLayout.STREAM, 0, LITTLE_ENDIAN);
        int length = count == 0 ? 0 : batches.records(slot.buffer(), OWN, accepted + 1, count, textLength);
        slot.fill(length, count, completion);
        accepted += count;
        ring.publish(sequence);
    }

    private void put(int count) {
        put(count, 0, null);
    }

    /** Puts a batch of a peer into a slot, like the replicator. */
    private void putSealed(long stream, long firstSeq, int count) {
        long sequence = ring.tryClaim();
        Slot slot = ring.slot(sequence);
        int length = batches.seal(stream, firstSeq, count);
        slot.buffer().putBytes(0, batches.buffer(), 0, length);
        slot.fill(length, count, null);
        ring.publish(sequence);
    }

    private List<List<Long>> own() {
        return JournalContract.read(journal, OWN, 0, accepted);
    }

    @Test
    void numbersRecordsAndDrawsSmallSlotsTogether() {
        put(2);
        put(3);
        put(1);

        assertThat(journaler.doWork()).isEqualTo(3);

        assertThat(own()).containsExactly(List.of(1L, 6L));
        assertThat(journal.durable(OWN)).isEqualTo(6);
        assertThat(counters.get(QueueCounter.JOURNAL_POINTS)).isEqualTo(6);
        assertThat(counters.get(QueueCounter.JOURNAL_BATCHES)).isEqualTo(1);
        assertThat(counters.get(QueueCounter.JOURNAL_BYTES)).isEqualTo(journal.bytes());
        put(4);
        journaler.doWork();
        assertThat(own()).containsExactly(List.of(1L, 6L), List.of(7L, 4L));
    }

    @Test
    void batchesStayBelow256KiB() {
        for (int i = 0; i < 10; i++) {
            put(1, 60_000, null);
        }
        journaler.doWork();

        assertThat(own()).containsExactly(List.of(1L, 4L), List.of(5L, 4L), List.of(9L, 2L));
    }

    @Test
    void largeSlotsAreBatchesOfTheirOwn() {
        put(8, 60_000, null);
        put(1);
        put(5, 60_000, null);

        journaler.doWork();

        assertThat(own()).containsExactly(List.of(1L, 8L), List.of(9L, 1L), List.of(10L, 5L));
    }

    @Test
    void appendsBatchesOfPeersAsTheyAre() {
        putSealed(PEER, 1, 3);
        put(2);
        putSealed(PEER, 4, 1);

        journaler.doWork();

        assertThat(JournalContract.read(journal, PEER, 0, 4)).containsExactly(List.of(1L, 3L), List.of(4L, 1L));
        assertThat(own()).containsExactly(List.of(1L, 2L));
        assertThat(counters.get(QueueCounter.JOURNAL_POINTS_COPIED)).isEqualTo(4);
        assertThat(counters.get(QueueCounter.JOURNAL_POINTS)).isEqualTo(2);
    }

    @Test
    void countsDuplicatesAndReportsGaps() {
        putSealed(PEER, 1, 3);
        putSealed(PEER, 1, 3);
        putSealed(PEER, 5, 1);
        putSealed(OWN, 1, 1);

        journaler.doWork();

        assertThat(journal.position(PEER)).isEqualTo(3);
        assertThat(journal.position(OWN)).isZero();
        assertThat(counters.get(QueueCounter.JOURNAL_DUPLICATES)).isEqualTo(2);
        assertThat(counters.get(QueueCounter.JOURNAL_GAPS)).isEqualTo(1);
        assertThat(gaps).containsExactly(PEER);
        assertThat(ring.used()).isZero();
    }

    @Test
    void fullJournalKeepsEverythingInOrder() {
        put(1);
        journal.refuse(true);
        journaler.doWork();
        put(8, 60_000, null);
        putSealed(PEER, 1, 3);
        put(1);
        journaler.doWork();

        assertThat(journaler.isReady()).isFalse();
        assertThat(ring.used()).isEqualTo(3);
        assertThat(counters.get(QueueCounter.JOURNAL_STALLS)).isPositive();

        journal.refuse(false);
        journaler.doWork();

        assertThat(journaler.isReady()).isTrue();
        assertThat(ring.used()).isZero();
        assertThat(own()).containsExactly(List.of(1L, 1L), List.of(2L, 8L), List.of(10L, 1L));
        assertThat(journal.position(PEER)).isEqualTo(3);
        assertThat(counters.get(QueueCounter.JOURNAL_POINTS)).isEqualTo(10);
    }

    @Test
    void largeSlotWaitsUnsealedWhileTheJournalIsFull() {
        journal.refuse(true);
        put(8, 60_000, null);
        journaler.doWork();
        journaler.doWork();
        journal.refuse(false);
        journaler.doWork();

        assertThat(own()).containsExactly(List.of(1L, 8L));
    }

    @Test
    void refusesWhoWaitsForAFullJournalAndGoesOnByItself() {
        Sender pending = new Sender();
        Sender first = new Sender();
        Sender second = new Sender();
        put(1, 0, pending);
        journal.refuse(true);
        journaler.doWork();
        put(2, 0, first);
        put(3); // from a stream input: no sender waits for an answer
        put(4, 0, second);
        clock.advance(Duration.ofMillis(4_999));
        journaler.doWork();
        assertThat(first.failure).isNull();

        clock.advance(Duration.ofMillis(1));
        journaler.doWork();

        assertThat(first.failure).contains("full or its disk refuses", "send the points again");
        assertThat(second.failure).isEqualTo(first.failure);
        assertThat(pending.failure).as("held back, and refused by who holds it").isNull();
        assertThat(ring.used())
                .as("the first is out of the way, the stream's waits")
                .isEqualTo(2);
        Sender late = new Sender();
        put(5, 0, late);
        journaler.doWork();
        assertThat(late.failure).isEqualTo(first.failure);
        assertThat(journaler.isReady()).isFalse();

        journal.refuse(false);
        journaler.doWork();

        assertThat(journaler.isReady()).isTrue();
        assertThat(ring.used()).isZero();
        assertThat(journal.position(OWN))
                .as("1 that was pending and 3 of the stream")
                .isEqualTo(4);
    }

    @Test
    void keepsSomethingToTryAFullJournalWith() {
        Sender large = new Sender();
        journal.refuse(true);
        put(8, 60_000, large);
        journaler.doWork();
        clock.advance(Duration.ofSeconds(5));
        journaler.doWork();
        assertThat(large.failure).isNotNull();
        assertThat(journaler.isReady()).isFalse();

        journal.refuse(false);
        journaler.doWork();

        assertThat(journaler.isReady()).isTrue();
        assertThat(held.seqs).as("nobody waits any more").isEmpty();
    }

    @Test
    void holdsBackSuccessUpToTheLastRecord() {
        put(2, 0, new Nobody());
        put(3);
        put(1, 0, new Nobody());
        put(0, 0, new Nobody());

        journaler.doWork();

        assertThat(held.seqs).containsExactly(2L, 6L, 6L);
    }

    @Test
    void takesNoSlotWhoseSenderCannotBeHeldBack() {
        held.capacity = 1;
        put(1, 0, new Nobody());
        put(1, 0, new Nobody());
        put(1);

        journaler.doWork();
        assertThat(ring.used()).isEqualTo(2);
        assertThat(journal.position(OWN)).isEqualTo(1);

        held.seqs.clear();
        journaler.doWork();
        assertThat(ring.used()).isZero();
        assertThat(journal.position(OWN)).isEqualTo(3);
    }

    @Test
    void letsGoOfWhatTheClusterHasProcessed() {
        put(5);
        journaler.doWork();
        MemoryCluster.Lead lead = cluster.lead();
        assertThat(lead.epoch()).isPositive();

        assertThat(lead.advance(new LowMark(1, 1, Positions.of(OWN, 5), LowMark.Totals.ZERO)))
                .isTrue();
        journaler.doWork();

        assertThat(journal.bases()).isEqualTo(Positions.of(OWN, 5));
        assertThat(journal.bytes()).isZero();
        assertThat(counters.get(QueueCounter.JOURNAL_BYTES_TRUNCATED)).isPositive();
        assertThat(journaler.doWork()).as("only once").isZero();
    }

    @Test
    void notesWhatCyclesContainSoThatTheyCanBeReplayed() {
        journal.retain(true);
        put(5);
        journaler.doWork();
        MemoryCluster.Lead lead = cluster.lead();
        for (long number = 1; number <= 2; number++) {
            Positions cut = Positions.of(OWN, 2 * number);
            lead.begin(
                    new Cycle(number, lead.epoch(), 10 * number, cut, List.of(1L), List.of(2L)),
                    new Assignment(0, List.of(1L), List.of(2L)));
        }
        journaler.doWork();
        lead.advance(new LowMark(2, 20, Positions.of(OWN, 4), LowMark.Totals.ZERO));
        journaler.doWork();

        assertThat(journal.bases().at(OWN)).isEqualTo(4);
        assertThat(journal.retained().spans()).containsExactly(new CycleSpan(1, 2));
        assertThat(journal.retained().cycles())
                .containsEntry(2L, new PastCycle(2, CycleTime.of(20), 1, Positions.of(OWN, 2), Positions.of(OWN, 4)));
    }

    @Test
    void bringsInWhatLiesInTheRingWhenItEnds() {
        for (int i = 0; i < SLOTS; i++) {
            put(1);
        }
        journaler.onClose();

        assertThat(journal.durable(OWN)).isEqualTo(SLOTS);
    }

    @Test
    void takesNothingMoreWhenAMappedPageFailed() {
        Journaler broken = journaler(new FailingJournal(journal));
        put(1);

        assertThatThrownBy(broken::doWork)
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("restart the node")
                .hasCauseInstanceOf(InternalError.class);
        put(1);

        assertThat(broken.doWork()).isZero();
        assertThat(broken.isReady()).isFalse();
        assertThat(ring.used()).isEqualTo(1);
        broken.onClose();
    }

    /** Appends like a normal journal; the JVM reports a failed page late, during a sync. */
    private record FailingJournal(Journal journal) implements Journal {
        @Override
        public Appended append(DirectBuffer buffer, int offset, int length) {
            return journal.append(buffer, offset, length);
        }

        @Override
        public boolean sync() {
            throw new InternalError("a fault occurred in a recent unsafe memory access operation");
        }

        @Override
        public long position(long stream) {
            return journal.position(stream);
        }

        @Override
        public long durable(long stream) {
            return journal.durable(stream);
        }

        @Override
        public Positions durables() {
            return journal.durables();
        }

        @Override
        public Positions bases() {
            return journal.bases();
        }

        @Override
        public BatchFeed feed(StreamRange range) {
            return journal.feed(range);
        }

        @Override
        public void truncate(Positions cut) {
            journal.truncate(cut);
        }

        @Override
        public JournalIdentity identity() {
            return journal.identity();
        }

        @Override
        public ControlCopy control() {
            return journal.control();
        }

        @Override
        public Retained retained() {
            return journal.retained();
        }

        @Override
        public long bytes() {
            return journal.bytes();
        }

        @Override
        public void close() {
            journal.close();
        }
    }

    @Test
    void wantsAStreamThatIsNew() {
        batches.append(journal, OWN, 1, 1);

        assertThatThrownBy(() -> journaler(journal)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void allocatesNothingPerRecord(@TempDir Path folder) {
        JournalSettings settings = new JournalSettings(
                folder,
                new SyncSchedule(SyncPolicy.INTERVAL, 100),
                new DiskLimits(4L << 30, 0),
                new RollLimits(1L << 30, Duration.ofHours(1).toMillis()));
        try (ChronicleJournal chronicle = ChronicleJournal.open(settings, "q1", clock)) {
            Journaler real = journaler(chronicle);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long self = Thread.currentThread().getId();
            long leastBytes = Long.MAX_VALUE;
            // The JVM itself allocates occasionally on a thread's account, so the best round counts.
            for (int round = 0; round < 30; round++) {
                for (int i = 0; i < SLOTS; i++) {
                    put(20);
                }
                long before = threads.getThreadAllocatedBytes(self);
                real.doWork();
                leastBytes = Math.min(leastBytes, threads.getThreadAllocatedBytes(self) - before);
            }
            assertThat(chronicle.position(OWN)).isEqualTo(30L * SLOTS * 20);
            assertThat(leastBytes).as("bytes for %d records", SLOTS * 20).isZero();
        }
    }
}
