package io.chimera.queue.replay;

import io.chimera.common.cluster.PastCycle;
import io.chimera.common.wire.BatchFeed;
import io.chimera.queue.journal.Journal;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.SortedMap;
import org.agrona.DirectBuffer;

/**
 * Opens the journal for one cycle: all batches that hold records in (cut before, cut], stream by stream in the order of
 * their ids. The order, like the content, is a function of the cycle record alone, so a replay by another queue node gives
 * the same results to the last bit.
 */
public final class CycleReader {
    private final Journal journal;

    /** A reader of one node's journal. */
    public CycleReader(Journal journal) {
        this.journal = journal;
    }

    /**
     * Whether the journal holds the cycle, be it that it is retained only: every stream up to its cut and from the cut
     * before on.
     *
     * @param before cut of the cycle before
     * @param cut cut of the cycle
     */
    public boolean covers(SortedMap<Long, Long> before, SortedMap<Long, Long> cut) {
        for (Map.Entry<Long, Long> end : cut.entrySet()) {
            long after = before.getOrDefault(end.getKey(), 0L);
            if (end.getValue() > after && !journal.retained().canRead(end.getKey(), after, end.getValue())) {
                return false;
            }
        }
        return true;
    }

    /** Cycles that the journal knows the bounds of. Any thread. */
    public SortedMap<Long, PastCycle> past() {
        return journal.retained().cycles();
    }

    /**
     * Opens a cycle that the journal covers.
     *
     * @param before cut of the cycle before
     * @param cut cut of the cycle
     * @return its batches; the first and last of a stream may also hold records of the neighbouring cycles
     */
    public BatchFeed open(SortedMap<Long, Long> before, SortedMap<Long, Long> cut) {
        Queue<Range> ranges = new ArrayDeque<>();
        cut.forEach((stream, upTo) -> {
            long after = before.getOrDefault(stream, 0L);
            if (upTo > after) {
                ranges.add(new Range(stream, after, upTo));
            }
        });
        return new CycleFeed(journal, ranges);
    }

    private record Range(long stream, long after, long upTo) {}

    /** One stream's feed after the other. */
    private static final class CycleFeed implements BatchFeed {
        private final Journal journal;
        private final Queue<Range> ranges;
        private BatchFeed current;

        CycleFeed(Journal journal, Queue<Range> ranges) {
            this.journal = journal;
            this.ranges = ranges;
        }

        @Override
        public Step next() {
            while (true) {
                if (current == null) {
                    Range range = ranges.poll();
                    if (range == null) {
                        return Step.END;
                    }
                    current = journal.retained().feed(range.stream(), range.after(), range.upTo());
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
            return current.buffer();
        }

        @Override
        public int offset() {
            return current.offset();
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
