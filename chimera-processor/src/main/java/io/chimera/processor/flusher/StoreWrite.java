package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.List;

/**
 * The writing of some rows to one store, range by range, until each was taken or refused. What a store refuses for its
 * content is halved and written again, so that one bad row does not cost the good ones around it. The flusher's thread.
 */
final class StoreWrite {
    /**
     * Refusals after which what is left of the rows is refused as it stands: finding 5 bad rows among 10,000 takes 5 x 2 x
     * log2(10,000) = 133. A store that refuses everything would take 20,000.
     */
    private static final int REFUSALS_MAX = 150;

    private final StoreLane lane;
    private final List<Row> rows;
    private final RowLetters letters;
    private final Counters<ProcessorCounter> counters;
    private final ArrayDeque<Range> ranges = new ArrayDeque<>();
    private final BitSet refused = new BitSet();
    private int refusals;

    private record Range(int from, int to) {
        int count() {
            return to - from;
        }
    }

    /** Takes rows that cannot be stored. */
    interface RowLetters {
        void write(Row row, String reason);
    }

    StoreWrite(StoreLane lane, List<Row> rows, RowLetters letters, Counters<ProcessorCounter> counters) {
        this.lane = lane;
        this.rows = rows;
        this.letters = letters;
        this.counters = counters;
        int batch = lane.batchRowsMax();
        for (int from = 0; from < rows.size(); from += batch) {
            ranges.add(new Range(from, Math.min(rows.size(), from + batch)));
        }
    }

    boolean isDone() {
        return ranges.isEmpty();
    }

    /** Number of the rows, refused ones included. */
    int count() {
        return rows.size();
    }

    /** Indexes of the rows that the store refused. */
    BitSet refused() {
        return refused;
    }

    /** Writes one range, if it is time to; true when something was done. */
    boolean step() {
        if (!lane.isOpen()) {
            return false;
        }
        Range range = ranges.peek();
        StoreLane.Outcome outcome = lane.write(rows.subList(range.from, range.to));
        if (outcome != StoreLane.Outcome.FAILED) {
            ranges.poll();
        }
        if (outcome == StoreLane.Outcome.REFUSED) {
            onRefused(range, lane.refusal());
        }
        return true;
    }

    private void onRefused(Range range, String reason) {
        refusals++;
        if (range.count() > 1 && refusals < REFUSALS_MAX) {
            int middle = range.from + range.count() / 2;
            ranges.push(new Range(middle, range.to));
            ranges.push(new Range(range.from, middle));
            return;
        }
        refused.set(range.from, range.to);
        for (Row row : rows.subList(range.from, range.to)) {
            counters.increment(ProcessorCounter.FLUSHER_ROWS_REFUSED);
            letters.write(row, reason);
        }
    }
}
