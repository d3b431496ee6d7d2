package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import io.chimera.api.model.RowVersion;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;

/**
 * Reads back acknowledged rows until the store shows each row with the written value. A store may show rows late:
 * missing rows are read again, and written again after a time limit. A row of a higher version in a store of shards
 * counts as seen: the write leaves such a row unchanged. The flusher's thread.
 */
final class RowCheck {
    /**
     * Initial delay between passes. KairosDB shows a row 60 to 90 ms after taking the row on H2, 260 ms on Cassandra.
     */
    private static final long DELAY_NS_MIN = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long DELAY_NS_MAX = TimeUnit.SECONDS.toNanos(1);

    /**
     * Time limit before missing rows are written again: eight times the delay of a working store. A repeated write is
     * harmless and costs no more than the first write.
     */
    static final long PATIENCE_NS_MIN = TimeUnit.SECONDS.toNanos(2);

    private static final long PATIENCE_NS_MAX = TimeUnit.SECONDS.toNanos(60);

    private final StoreLane lane;
    private final RowVersion version;
    private final StoreWrite.Letters letters;
    private final Clock clock;
    private final Counters<ProcessorCounter> counters;
    private final ErrorHandler errors;

    private List<Row> unseen;

    /**
     * Rows still to be read in this pass. The rows of an entry have the same time, because a store reads the rows of
     * one time together.
     */
    private final ArrayDeque<List<Row>> toAsk = new ArrayDeque<>();

    private final List<Row> stillUnseen = new ArrayList<>();
    private final List<Row> others = new ArrayList<>();
    private StoreWrite rewrite;
    private boolean isLost;
    private int refused;
    private long writtenNs;
    private long nextNs;
    private long passNs;
    private long delayNs = DELAY_NS_MIN;
    private long patienceNs = PATIENCE_NS_MIN;

    /**
     * Creates a check.
     *
     * @param version version of the written rows; null for a store without shards
     */
    RowCheck(StoreLane lane, List<Row> written, RowVersion version, StoreWrite.Letters letters, FlushTools tools) {
        this.lane = lane;
        this.version = version;
        this.letters = letters;
        clock = tools.clock();
        counters = tools.counters();
        errors = tools.errors();
        unseen = written;
        writtenNs = clock.nanoTime();
        nextNs = writtenNs;
    }

    boolean isDone() {
        return unseen.isEmpty();
    }

    /**
     * Returns whether rows are missing after the time limit in a store that writes shards as a whole: the whole shard
     * has to be written again.
     */
    boolean isLost() {
        return isLost;
    }

    /** Returns the number of rows that the store refused in a repeated write. */
    int refused() {
        return refused;
    }

    /** Returns the reason why repeated rows wait for a decision; null when none do. */
    StoreLane.Held held() {
        return rewrite == null ? null : rewrite.held();
    }

    /** Does the next piece of work; false while waiting for the store. */
    boolean step() {
        if (rewrite != null) {
            return rewrite();
        }
        if (clock.nanoTime() - nextNs < 0 || !lane.isOpen()) {
            return false;
        }
        if (toAsk.isEmpty()) {
            beginPass();
        }
        List<Row> found = lane.read(toAsk.peek());
        if (found != null && compare(toAsk.peek(), new ShownRows(found))) {
            toAsk.remove();
            if (toAsk.isEmpty()) {
                endPass();
            }
        }
        return true;
    }

    private void beginPass() {
        Map<Long, List<Row>> byTime = new LinkedHashMap<>();
        for (Row row : unseen) {
            byTime.computeIfAbsent(row.timeMs(), time -> new ArrayList<>()).add(row);
        }
        toAsk.addAll(byTime.values());
        stillUnseen.clear();
        others.clear();
        passNs = clock.nanoTime();
    }

    /** Compares written rows with the store; false when the store fails. */
    private boolean compare(List<Row> asked, ShownRows shown) {
        List<Row> missing = new ArrayList<>();
        Map<Row, Row> changed = new LinkedHashMap<>();
        for (Row row : asked) {
            Row stored = shown.of(row);
            if (stored == null) {
                missing.add(row);
            } else if (!isSame(row, stored)) {
                changed.put(row, stored);
            }
        }
        if (!changed.isEmpty() && lane.writesShards() && !removeSuperseded(changed)) {
            return false;
        }
        stillUnseen.addAll(missing);
        stillUnseen.addAll(changed.keySet());
        others.addAll(changed.values());
        counters.add(ProcessorCounter.FLUSHER_ROWS_VERIFIED, asked.size() - missing.size() - changed.size());
        return true;
    }

    /** Removes rows with a higher version in the store; false when the store fails. */
    private boolean removeSuperseded(Map<Row, Row> changed) {
        List<Row> found = lane.superseding(List.copyOf(changed.keySet()), version);
        if (found == null) {
            return false;
        }
        ShownRows superseding = new ShownRows(found);
        changed.keySet().removeIf(row -> superseding.of(row) != null);
        return true;
    }

    /**
     * Ends a pass. The time limit is compared with the start of the pass: a pass over many times is long, and rows read
     * early in the pass may have appeared since. Such rows get another pass.
     */
    private void endPass() {
        unseen = List.copyOf(stillUnseen);
        nextNs = clock.nanoTime() + delayNs;
        delayNs = Math.min(2 * delayNs, DELAY_NS_MAX);
        if (!unseen.isEmpty() && passNs - writtenNs >= patienceNs) {
            report();
            counters.add(ProcessorCounter.FLUSHER_ROWS_REWRITTEN, unseen.size());
            isLost = lane.writesShards();
            rewrite = isLost ? null : new StoreWrite(lane, unseen, letters, counters);
        }
    }

    /** Compares values; both zeros are equal, because a store may not keep the sign. */
    private static boolean isSame(Row one, Row other) {
        return one.isLong() ? one.bits() == other.bits() : one.asDouble() == other.asDouble();
    }

    /**
     * Reports rows with a different value in the store. A store may show the value from before a replay until the new
     * value is visible; a value still wrong after the time limit is an error.
     */
    private void report() {
        if (others.isEmpty()) {
            return;
        }
        counters.add(ProcessorCounter.FLUSHER_ROWS_CORRUPT, others.size());
        Row first = others.get(0);
        errors.onError(new ChimeraException(
                ChimeraException.Category.ERROR,
                "Store " + lane.name() + " shows " + others.size() + " rows with other values than were written, e.g. "
                        + first.asDouble() + " of " + first.metric()
                        + first.tags().asMap() + " at " + first.timeMs()
                        + ". The rows are written again. Check whether another process writes these metrics."));
    }

    private boolean rewrite() {
        boolean hasWorked = rewrite.isDone() || rewrite.step();
        if (rewrite.isDone()) {
            List<Row> taken = new ArrayList<>();
            for (int i = 0; i < unseen.size(); i++) {
                if (!rewrite.refused().get(i)) {
                    taken.add(unseen.get(i));
                }
            }
            refused += unseen.size() - taken.size();
            unseen = taken;
            rewrite = null;
            writtenNs = clock.nanoTime();
            nextNs = writtenNs;
            delayNs = DELAY_NS_MIN;
            patienceNs = Math.min(2 * patienceNs, PATIENCE_NS_MAX);
        }
        return hasWorked;
    }
}
