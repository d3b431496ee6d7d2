package io.chimera.queue.replay;

import io.chimera.common.cluster.CutRange;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.wire.BatchFeed;
import io.chimera.queue.journal.Journal;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.SortedMap;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Opens the journal for one cycle: all batches with records in (previous cut, cut], stream by stream in the order of
 * the stream ids. Order and content depend on the cycle record alone, so a replay by another queue node gives
 * bit-identical results.
 */
public final class CycleReader {
    private final Journal journal;

    /** Creates a reader of a node's journal. */
    public CycleReader(Journal journal) {
        this.journal = journal;
    }

    /**
     * Whether the journal holds the complete cycle, including records kept only for replay: every stream from the
     * previous cut up to the cut.
     */
    public boolean covers(CutRange records) {
        return records.ranges().stream().allMatch(journal.retained()::canRead);
    }

    /** Past cycles with known cuts. Any thread. */
    public SortedMap<Long, PastCycle> past() {
        return journal.retained().cycles();
    }

    /**
     * Opens a cycle covered by the journal.
     *
     * @param records records of the cycle
     * @return batches of the cycle; the first and last batch of a stream may also hold records of neighbouring cycles
     */
    public BatchFeed open(CutRange records) {
        return new CycleFeed(journal, new ArrayDeque<>(records.ranges()));
    }

    /** Feeds of several streams in sequence. */
    private static final class CycleFeed implements BatchFeed {
        private final Journal journal;
        private final Queue<StreamRange> ranges;

        /** Feed of the present range; null between two ranges. */
        private @Nullable BatchFeed current;

        CycleFeed(Journal journal, Queue<StreamRange> ranges) {
            this.journal = journal;
            this.ranges = ranges;
        }

        @Override
        public Step next() {
            while (true) {
                if (current == null) {
                    StreamRange range = ranges.poll();
                    if (range == null) {
                        return Step.END;
                    }
                    current = journal.retained().feed(range);
                }
                Step step = current.next();
                if (step != Step.END) {
                    return step;
                }
                close();
            }
        }

        @Override
        public DirectBuffer buffer() {
            return present().buffer();
        }

        @Override
        public int offset() {
            return present().offset();
        }

        private BatchFeed present() {
            return Objects.requireNonNull(current, "a batch is read only after next() has returned BATCH");
        }

        @Override
        public void close() {
            if (current != null) {
                current.close();
                current = null;
            }
        }
    }
}
