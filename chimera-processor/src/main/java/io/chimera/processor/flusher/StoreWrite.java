package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import io.chimera.api.spi.StoreException;
import io.chimera.common.agent.Clock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.processor.NamedStore;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The writing of some rows to one store, range by range, until each was taken or refused. What a store refuses for its
 * content is halved and written again, so that one bad row does not cost the good ones around it. The flusher's thread,
 * which the store may block.
 */
final class StoreWrite {
    /**
     * Refusals after which what is left of the rows is refused as it stands: finding 5 bad rows among 10,000 takes 5 x 2 x
     * log2(10,000) = 133. A store that refuses everything would take 20,000.
     */
    private static final int REFUSALS_MAX = 150;

    private final NamedStore target;
    private final StoreHealth health;
    private final String pipeline;
    private final List<Row> rows;
    private final RowDeadLetters deadLetters;
    private final Clock clock;
    private final Counters<ProcessorCounter> counters;
    private final ArrayDeque<Range> ranges = new ArrayDeque<>();
    private int refusals;
    private long written;

    private record Range(int from, int to) {
        int count() {
            return to - from;
        }
    }

    StoreWrite(
            NamedStore target,
            StoreHealth health,
            String pipeline,
            List<Row> rows,
            RowDeadLetters deadLetters,
            Clock clock,
            Counters<ProcessorCounter> counters) {
        this.target = target;
        this.health = health;
        this.pipeline = pipeline;
        this.rows = rows;
        this.deadLetters = deadLetters;
        this.clock = clock;
        this.counters = counters;
        int batch = target.store().batchRowsMax();
        for (int from = 0; from < rows.size(); from += batch) {
            ranges.add(new Range(from, Math.min(rows.size(), from + batch)));
        }
    }

    boolean isDone() {
        return ranges.isEmpty();
    }

    /** Rows that the store acknowledged. */
    long written() {
        return written;
    }

    /** Writes one range, if it is time to; true when something was done. */
    boolean step() {
        if (!health.isDue(clock.nanoTime())) {
            return false;
        }
        Range range = ranges.peek();
        try {
            target.store().write(rows.subList(range.from, range.to));
            ranges.poll();
            written += range.count();
            counters.add(ProcessorCounter.FLUSHER_ROWS, range.count());
            health.succeeded(clock.nanoTime());
        } catch (StoreException e) {
            if (e.retryable()) {
                health.failed(e, clock.nanoTime());
            } else {
                ranges.poll();
                onRefused(range, e.getMessage());
            }
        } catch (RuntimeException e) { // a defect of the store's plugin: it may help to try again, and loses nothing
            health.failed(e, clock.nanoTime());
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
        for (Row row : rows.subList(range.from, range.to)) {
            counters.increment(ProcessorCounter.FLUSHER_ROWS_REFUSED);
            if (!deadLetters.write(clock.epochMs(), target.name(), pipeline, row, reason)) {
                counters.increment(ProcessorCounter.FLUSHER_ROWS_LOST);
            }
        }
    }
}
