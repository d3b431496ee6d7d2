package io.chimera.queue.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.cluster.CutRange;
import io.chimera.common.cluster.Positions;
import io.chimera.common.wire.BatchFeed;
import io.chimera.common.wire.BatchFeed.Step;
import io.chimera.common.wire.BatchLayout;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.MemoryJournal;
import io.chimera.queue.journal.SyncPolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CycleReaderTest {
    private static final long STREAM = 5;
    private static final long OTHER = 9;

    private final MemoryJournal journal = new MemoryJournal(SyncPolicy.BATCH, 1, new ManualClock());
    private final CycleReader reader = new CycleReader(journal);
    private final Batches batches = new Batches();

    private void append(long stream, long firstSeq, int count) {
        batches.append(journal, stream, firstSeq, count);
    }

    /** First and last sequence number of each batch, behind the stream. */
    private static List<String> read(BatchFeed feed) {
        List<String> read = new ArrayList<>();
        try (feed) {
            while (feed.next() == Step.BATCH) {
                long first = BatchLayout.firstSeq(feed.buffer(), feed.offset());
                long last = first + BatchLayout.count(feed.buffer(), feed.offset()) - 1;
                read.add(BatchLayout.stream(feed.buffer(), feed.offset()) + ":" + first + "-" + last);
            }
        }
        return read;
    }

    @Test
    void readsStreamByStreamInTheOrderOfTheStreams() {
        append(OTHER, 1, 2);
        append(STREAM, 1, 3);
        append(OTHER, 3, 1);

        CutRange cycle = new CutRange(Positions.NONE, Positions.of(OTHER, 3, STREAM, 3));

        assertThat(reader.covers(cycle)).isTrue();
        assertThat(read(reader.open(cycle))).containsExactly("5:1-3", "9:1-2", "9:3-3");
    }

    @Test
    void readsOnlyBatchesWithRecordsOfTheCycle() {
        append(STREAM, 1, 3);
        append(STREAM, 4, 3);
        append(STREAM, 7, 3);
        append(OTHER, 1, 1);

        CutRange cycle = new CutRange(Positions.of(STREAM, 3, OTHER, 1), Positions.of(STREAM, 5, OTHER, 1));

        assertThat(read(reader.open(cycle))).containsExactly("5:4-6");
    }

    @Test
    void doesNotCoverACycleWithAMissingRecord() {
        append(STREAM, 1, 3);

        assertThat(reader.covers(new CutRange(Positions.NONE, Positions.of(STREAM, 3))))
                .isTrue();
        assertThat(reader.covers(new CutRange(Positions.NONE, Positions.of(STREAM, 4))))
                .isFalse();
        assertThat(reader.covers(new CutRange(Positions.NONE, Positions.of(STREAM, 3, OTHER, 1))))
                .isFalse();
    }

    @Test
    void endsAtOnceWithoutRecords() {
        CutRange none = new CutRange(Positions.of(STREAM, 3), Positions.of(STREAM, 3));

        assertThat(reader.covers(none)).isTrue();
        assertThat(reader.open(none).next()).isEqualTo(Step.END);
    }
}
