package io.chimera.queue.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.agent.Waits;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.wire.BatchFeed;
import io.chimera.common.wire.BatchFeed.Step;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.queue.journal.Journal.Appended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contract test for every {@link Journal}. */
public abstract class JournalContract {
    /** First stream; negative as a signed number. */
    protected static final long A = 0xF00000000000000AL;

    /** The second stream. */
    protected static final long B = 0xBL;

    /** Sync interval of a journal from {@link #open} under {@link SyncPolicy#INTERVAL}. */
    protected static final Duration SYNC_EVERY = Duration.ofMillis(100);

    /** Clock of the journals. */
    protected final ManualClock clock = new ManualClock();

    /** Maker of the batches. */
    protected final Batches batches = new Batches();

    private Journal opened;

    /** Opens or reopens the journal of this test; the interval policy syncs every 100 ms. */
    protected abstract Journal open(SyncPolicy sync);

    private Journal reopened(SyncPolicy sync) {
        if (opened != null) {
            opened.close();
        }
        opened = open(sync);
        return opened;
    }

    @AfterEach
    final void closeJournal() {
        if (opened != null) {
            opened.close();
        }
    }

    @Test
    void isEmptyAtFirst() {
        Journal journal = reopened(SyncPolicy.NONE);

        assertThat(journal.position(A)).isZero();
        assertThat(journal.durable(A)).isZero();
        assertThat(journal.durables()).isEqualTo(Positions.NONE);
        assertThat(journal.bases()).isEqualTo(Positions.NONE);
        assertThat(journal.feed(StreamRange.from(A, 0)).next()).isEqualTo(Step.WAIT);
    }

    @Test
    void givesBackTheBytesOfEachStream() {
        Journal journal = reopened(SyncPolicy.NONE);
        assertThat(batches.append(journal, A, 1, 3)).isEqualTo(Appended.OK);
        assertThat(batches.append(journal, B, 1, 1)).isEqualTo(Appended.OK);
        assertThat(batches.append(journal, A, 4, 2)).isEqualTo(Appended.OK);

        assertThat(journal.position(A)).isEqualTo(5);
        assertThat(journal.position(B)).isEqualTo(1);
        assertThat(read(journal, A, 0, 5)).containsExactly(List.of(1L, 3L), List.of(4L, 2L));
        assertThat(read(journal, B, 0, 1)).containsExactly(List.of(1L, 1L));
    }

    @Test
    void tellsDuplicatesAndGapsAndWritesNeither() {
        Journal journal = reopened(SyncPolicy.NONE);
        assertThat(batches.append(journal, A, 2, 1)).isEqualTo(Appended.GAP);
        batches.append(journal, A, 1, 4);
        long bytes = journal.bytes();

        assertThat(batches.append(journal, A, 1, 4)).isEqualTo(Appended.DUPLICATE);
        assertThat(batches.append(journal, A, 2, 2)).isEqualTo(Appended.DUPLICATE);
        assertThat(batches.append(journal, A, 6, 1)).isEqualTo(Appended.GAP);
        assertThat(batches.append(journal, A, 3, 4)).as("overlaps in part").isEqualTo(Appended.GAP);
        assertThat(journal.position(A)).isEqualTo(4);
        assertThat(journal.bytes()).isEqualTo(bytes);
    }

    @Test
    void feedBeginsWithTheBatchThatContainsTheNextRecord() {
        Journal journal = reopened(SyncPolicy.NONE);
        batches.append(journal, A, 1, 4);
        batches.append(journal, A, 5, 4);

        assertThat(read(journal, A, 2, 8)).containsExactly(List.of(1L, 4L), List.of(5L, 4L));
        assertThat(read(journal, A, 4, 8)).containsExactly(List.of(5L, 4L));
    }

    @Test
    void feedEndsWithTheBatchThatContainsTheLastRecord() {
        Journal journal = reopened(SyncPolicy.NONE);
        batches.append(journal, A, 1, 4);
        batches.append(journal, A, 5, 4);

        assertThat(read(journal, A, 0, 2)).containsExactly(List.of(1L, 4L));
        assertThat(journal.feed(new StreamRange(A, 4, 4)).next()).isEqualTo(Step.END);
    }

    @Test
    void feedWaitsForWhatIsNotThereYet() {
        Journal journal = reopened(SyncPolicy.NONE);
        try (BatchFeed feed = journal.feed(new StreamRange(A, 0, 2))) {
            assertThat(feed.next()).isEqualTo(Step.WAIT);
            batches.append(journal, A, 1, 1);
            assertThat(feed.next()).isEqualTo(Step.BATCH);
            assertThat(feed.next()).isEqualTo(Step.WAIT);
            batches.append(journal, A, 2, 1);
            assertThat(feed.next()).isEqualTo(Step.BATCH);
            assertThat(feed.next()).isEqualTo(Step.END);
        }
    }

    @ParameterizedTest
    @EnumSource
    void isDurableAsThePolicySays(SyncPolicy sync) {
        Journal journal = reopened(sync);
        batches.append(journal, A, 1, 4);
        assertThat(journal.durable(A)).isEqualTo(sync == SyncPolicy.NONE ? 4 : 0);

        journal.sync();
        assertThat(journal.durable(A)).isEqualTo(sync == SyncPolicy.INTERVAL ? 0 : 4);

        clock.advance(SYNC_EVERY);
        journal.sync();
        assertThat(journal.durable(A)).isEqualTo(4);
        assertThat(journal.durables()).isEqualTo(Positions.of(A, 4));
    }

    @Test
    void truncatesUpToTheCut() {
        Journal journal = reopened(SyncPolicy.NONE);
        batches.append(journal, A, 1, 4);
        batches.append(journal, A, 5, 4);
        batches.append(journal, B, 1, 1);

        journal.truncate(Positions.of(A, 4));

        assertThat(journal.bases()).isEqualTo(Positions.of(A, 4, B, 0));
        assertThat(journal.position(A)).isEqualTo(8);
        assertThat(journal.feed(new StreamRange(A, 3, 8)).next()).isEqualTo(Step.GAP);
        assertThat(read(journal, A, 4, 8)).containsExactly(List.of(5L, 4L));
        assertThat(batches.append(journal, A, 9, 1)).isEqualTo(Appended.OK);
    }

    @Test
    void cutInsideABatchKeepsTheBatch() {
        Journal journal = reopened(SyncPolicy.NONE);
        batches.append(journal, A, 1, 4);
        batches.append(journal, A, 5, 4);

        journal.truncate(Positions.of(A, 6));

        assertThat(journal.bases()).isEqualTo(Positions.of(A, 6));
        assertThat(read(journal, A, 6, 8)).containsExactly(List.of(5L, 4L));
        assertThat(batches.append(journal, A, 5, 4)).isEqualTo(Appended.DUPLICATE);
        assertThat(batches.append(journal, A, 7, 4)).as("overlaps in part").isEqualTo(Appended.GAP);
    }

    @Test
    void cutNeverGoesBack() {
        Journal journal = reopened(SyncPolicy.BATCH);
        batches.append(journal, A, 1, 4);
        batches.append(journal, A, 5, 4);
        batches.append(journal, B, 1, 4);
        journal.truncate(Positions.of(A, 4, B, 2));
        journal.truncate(Positions.of(A, 3));
        journal.sync();

        journal = reopened(SyncPolicy.BATCH);

        assertThat(journal.bases()).isEqualTo(Positions.of(A, 4, B, 2));
        assertThat(journal.durables()).isEqualTo(Positions.of(A, 8, B, 4));
        assertThat(read(journal, A, 4, 8)).hasSize(1);
        assertThat(read(journal, B, 2, 4)).hasSize(1);
    }

    @Test
    void lateJoinerStartsAtTheCut() {
        Journal journal = reopened(SyncPolicy.BATCH);
        journal.truncate(Positions.of(A, 100));

        assertThat(journal.position(A)).isEqualTo(100);
        assertThat(journal.durable(A)).isEqualTo(100);
        assertThat(batches.append(journal, A, 99, 2)).isEqualTo(Appended.DUPLICATE);
        assertThat(batches.append(journal, A, 102, 2)).isEqualTo(Appended.GAP);
        assertThat(batches.append(journal, A, 101, 2)).isEqualTo(Appended.OK);
        assertThat(read(journal, A, 100, 102)).containsExactly(List.of(101L, 2L));
    }

    @Test
    void lateJoinerTakesTheBatchThatTheCutDivides() {
        Journal journal = reopened(SyncPolicy.NONE);
        batches.append(journal, A, 1, 10);
        journal.truncate(Positions.of(A, 100));

        assertThat(batches.append(journal, A, 96, 10)).isEqualTo(Appended.OK);
        assertThat(journal.position(A)).isEqualTo(105);
        assertThat(journal.bases()).isEqualTo(Positions.of(A, 100));
        assertThat(read(journal, A, 100, 105)).containsExactly(List.of(96L, 10L));
        assertThat(batches.append(journal, A, 106, 1)).isEqualTo(Appended.OK);
    }

    @Test
    void holdsNothingOfAStreamThatLeftTheCutEvenAfterARestart() {
        Journal journal = reopened(SyncPolicy.BATCH);
        batches.append(journal, A, 1, 4);
        batches.append(journal, B, 1, 4);
        journal.truncate(Positions.of(A, 4, B, 1));
        journal.truncate(Positions.of(B, 2));
        journal.sync();

        assertThat(journal.durables().at(A)).isEqualTo(journal.bases().at(A));

        // its records may still share a file with other records; as new points they would count twice
        journal = reopened(SyncPolicy.BATCH);
        assertThat(journal.durables().at(A)).isEqualTo(journal.bases().at(A));
        assertThat(journal.durables().at(B)).isEqualTo(4);
    }

    @Test
    void keepsEverythingOverARestart() {
        Journal journal = reopened(SyncPolicy.BATCH);
        batches.append(journal, A, 1, 4);
        batches.append(journal, B, 1, 4);
        batches.append(journal, A, 5, 4);
        journal.truncate(Positions.of(A, 4));
        journal.sync();

        journal = reopened(SyncPolicy.BATCH);

        assertThat(journal.durables()).isEqualTo(Positions.of(A, 8, B, 4));
        assertThat(journal.bases()).isEqualTo(Positions.of(A, 4, B, 0));
        assertThat(read(journal, A, 4, 8)).containsExactly(List.of(5L, 4L));
        assertThat(read(journal, B, 0, 4)).containsExactly(List.of(1L, 4L));
        assertThat(batches.append(journal, A, 9, 1)).isEqualTo(Appended.OK);
        assertThat(read(journal, A, 4, 9)).containsExactly(List.of(5L, 4L), List.of(9L, 1L));
    }

    @Test
    void readersFollowWhileItIsWritten() throws Exception {
        Journal journal = reopened(SyncPolicy.NONE);
        int last = 20_000;
        ExecutorService readers = Executors.newFixedThreadPool(3);
        try {
            List<Future<Long>> sums = new ArrayList<>();
            for (long stream : new long[] {A, B, A}) {
                sums.add(readers.submit(() -> sumFollowing(journal, stream, last)));
            }
            for (int seq = 1; seq <= last; seq += 10) {
                assertThat(batches.append(journal, A, seq, 10)).isEqualTo(Appended.OK);
                assertThat(batches.append(journal, B, seq, 10)).isEqualTo(Appended.OK);
            }
            for (Future<Long> sum : sums) {
                assertThat(sum.get(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isEqualTo((1L + last) * last / 2);
            }
        } finally {
            readers.shutdownNow();
        }
    }

    /** The times of the records are their sequence numbers. */
    private static long sumFollowing(Journal journal, long stream, long last) {
        BodyReader body = new BodyReader();
        long sum = 0;
        try (BatchFeed feed = journal.feed(new StreamRange(stream, 0, last))) {
            Step step = feed.next();
            while (step != Step.END && !Thread.currentThread().isInterrupted()) {
                if (step == Step.BATCH) {
                    body.wrapBatch(feed.buffer(), feed.offset());
                    while (body.nextRecord()) {
                        sum += body.record().timeNs();
                    }
                } else {
                    Thread.onSpinWait();
                }
                step = feed.next();
            }
        }
        return sum;
    }

    /** Reads to the end and returns first sequence number and count of each batch; checks that each batch is whole. */
    public static List<List<Long>> read(Journal journal, long stream, long after, long upTo) {
        List<List<Long>> found = new ArrayList<>();
        try (BatchFeed feed = journal.feed(new StreamRange(stream, after, upTo))) {
            Step step = feed.next();
            while (step == Step.BATCH) {
                int length = BatchLayout.length(feed.buffer(), feed.offset());
                assertThat(BatchLayout.isWhole(feed.buffer(), feed.offset(), length, new CRC32C(), new BodyReader()))
                        .isTrue();
                assertThat(BatchLayout.stream(feed.buffer(), feed.offset())).isEqualTo(stream);
                found.add(List.of(BatchLayout.firstSeq(feed.buffer(), feed.offset()), (long)
                        BatchLayout.count(feed.buffer(), feed.offset())));
                step = feed.next();
            }
            assertThat(step).isEqualTo(Step.END);
        }
        return found;
    }
}
