package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Writes rows to a store until each row is taken or known to be bad. A refused batch is halved, down to single rows:
 * the suspects. Every suspect is written again, alone, in pass after pass. A suspect taken by the store restarts the
 * count of passes, and so does every outage. The suspects are bad when the store refused all of them in enough passes
 * and took a known-good row after each refusal. The refusals have to last some seconds, unless the series of all
 * suspects are known from cycles before. With more suspects than the limits of the store allow, the refusals have to
 * last for the patience of the limits. The flusher's thread.
 */
final class StoreWrite {
    /**
     * Minimum number of consecutive passes in which the store refuses every suspect and takes a known-good row after
     * each. A good row that the store refuses at random with probability p is judged bad with probability p^10.
     */
    private static final int PASSES_MIN = 10;

    /** Minimum time of the refusals, unless all series are known to be bad. */
    private static final long DOUBT_NS = TimeUnit.SECONDS.toNanos(3);

    /** Failures of a range before the range is split although no row is known to be good. */
    private static final int FAILURES_MAX = 5;

    private static final long DELAY_NS_MIN = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long DELAY_NS_MAX = TimeUnit.MILLISECONDS.toNanos(500);

    /** Delay between passes while rows wait for the patience of the limits. */
    private static final long HELD_DELAY_NS = TimeUnit.SECONDS.toNanos(5);

    /** Suspects written without a pause; during a pause other shards use the lane. */
    private static final int SUSPECTS_PER_TURN = 100;

    private final StoreLane lane;
    private final List<Row> rows;
    private final Letters letters;
    private final Counters<ProcessorCounter> counters;
    private final ArrayDeque<Range> ranges = new ArrayDeque<>();
    private final BitSet refused = new BitSet();

    private List<Suspect> suspects = new ArrayList<>();
    private List<Suspect> remaining = new ArrayList<>();
    private int failures;
    private int next;
    private int passes;
    private boolean isProven = true;

    /** Whether the series of all suspects were bad in cycles before. */
    private boolean areKnown;

    private long sinceNs;

    /** Time at which the passes showed too many suspects; 0 before. */
    private long announcedNs;

    private long dueNs;
    private StoreLane.Held held;

    private record Range(int from, int to) {
        int count() {
            return to - from;
        }
    }

    /** A row that the store did not take alone. */
    private record Suspect(int index, String reason, boolean isContent) {}

    /** Takes rows that cannot be stored. */
    interface Letters {
        void write(Row row, String reason);
    }

    StoreWrite(StoreLane lane, List<Row> rows, Letters letters, Counters<ProcessorCounter> counters) {
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
        return ranges.isEmpty() && suspects.isEmpty();
    }

    /** Returns the number of rows, including refused rows. */
    int count() {
        return rows.size();
    }

    /** Returns the indexes of the refused rows. */
    BitSet refused() {
        return refused;
    }

    /** Returns the reason why rows wait for a decision although the store takes other rows; null when none do. */
    StoreLane.Held held() {
        return held;
    }

    /** Writes a range or a suspect when due; false when nothing was done. */
    boolean step() {
        if (!lane.isOpen()) {
            return false;
        }
        if (!ranges.isEmpty()) {
            writeRange();
            return true;
        }
        if (lane.clock().nanoTime() - dueNs < 0) {
            return false;
        }
        trySuspect();
        return true;
    }

    private void writeRange() {
        Range range = ranges.peek();
        StoreLane.Outcome outcome = lane.write(rows.subList(range.from, range.to));
        if (outcome == StoreLane.Outcome.FAILED && !isGivenUp()) {
            return;
        }
        failures = 0;
        ranges.poll();
        if (outcome == StoreLane.Outcome.FAILED && range.count() == 1) {
            ranges.add(range);
        } else if (outcome != StoreLane.Outcome.TAKEN) {
            split(range);
        }
        if (ranges.isEmpty()) {
            restart();
        }
    }

    /**
     * Returns whether to go on with other ranges: no row is known to be good, and a bad row of this range may cause the
     * failures.
     */
    private boolean isGivenUp() {
        return !lane.hasKnownGood() && ++failures >= FAILURES_MAX;
    }

    private void split(Range range) {
        if (range.count() == 1) {
            suspects.add(new Suspect(range.from, lane.refusal(), lane.isContent()));
            return;
        }
        int middle = range.from + range.count() / 2;
        ranges.push(new Range(middle, range.to));
        ranges.push(new Range(range.from, middle));
    }

    /** Starts the count of passes from zero. */
    private void restart() {
        passes = 0;
        announcedNs = 0;
        sinceNs = lane.clock().nanoTime();
        beginPass();
    }

    private void beginPass() {
        next = 0;
        isProven = true;
        remaining = new ArrayList<>();
        areKnown = areKnown();
        dueNs = lane.clock().nanoTime() + delayNs();
    }

    private long delayNs() {
        if (areKnown) {
            return DELAY_NS_MIN;
        }
        return passes >= PASSES_MIN ? HELD_DELAY_NS : Math.min(DELAY_NS_MIN << passes, DELAY_NS_MAX);
    }

    private void trySuspect() {
        Suspect suspect = suspects.get(next);
        Row row = rows.get(suspect.index);
        StoreLane.Outcome outcome = lane.write(List.of(row));
        if (outcome == StoreLane.Outcome.FAILED) {
            keepUntried(next);
            restart();
            return;
        }
        next++;
        if (outcome != StoreLane.Outcome.TAKEN) {
            remaining.add(new Suspect(suspect.index, lane.refusal(), lane.isContent()));
            isProven &= outcome == StoreLane.Outcome.REFUSED;
        }
        if (next == suspects.size()) {
            endPass();
        } else if (next % SUSPECTS_PER_TURN == 0) {
            dueNs = lane.clock().nanoTime() + DELAY_NS_MIN;
        }
    }

    private void keepUntried(int from) {
        remaining.addAll(suspects.subList(from, suspects.size()));
        suspects = remaining;
    }

    private void endPass() {
        boolean isAnyTaken = remaining.size() < suspects.size();
        suspects = remaining;
        if (suspects.isEmpty()) {
            held = null;
            return;
        }
        passes++;
        if (isAnyTaken || !isProven) {
            held = isProven ? held : unproven();
            restart();
        } else if (isBad()) {
            setAside();
        } else {
            beginPass();
        }
    }

    /**
     * Returns whether the suspects are bad rows. While the store refuses the suspects, only this decision allows the
     * commit of the shard.
     */
    private boolean isBad() {
        long nowNs = lane.clock().nanoTime();
        long waitedNs = nowNs - sinceNs;
        if (areKnown || areFew()) {
            return passes >= PASSES_MIN && (areKnown || waitedNs >= DOUBT_NS);
        }
        // The patience begins when the operator is informed, however long a pass over many suspects takes.
        if (announcedNs == 0 && (waitedNs >= DOUBT_NS || passes >= PASSES_MIN)) {
            announcedNs = nowNs == 0 ? 1 : nowNs;
        }
        if (announcedNs == 0) {
            return false;
        }
        held = tooMany(nowNs - announcedNs);
        return passes >= PASSES_MIN
                && nowNs - announcedNs >= lane.limits().patience().toNanos();
    }

    /** Returns whether the suspects are within the share limit of the store, or all have the same tags. */
    private boolean areFew() {
        return suspects.size() <= lane.limits().share() * rows.size()
                || suspects.stream()
                                .map(suspect -> rows.get(suspect.index).tags())
                                .distinct()
                                .limit(2)
                                .count()
                        == 1;
    }

    private boolean areKnown() {
        long nowNs = lane.clock().nanoTime();
        return suspects.stream().allMatch(suspect -> lane.badSeries().contains(rows.get(suspect.index), nowNs));
    }

    private StoreLane.Held tooMany(long waitedNs) {
        long nowMs = lane.clock().epochMs();
        long restNs = lane.limits().patience().toNanos() - waitedNs;
        return held(String.format(
                Locale.ROOT,
                "%d of %d rows of a shard, more than refused_max (%.0f%%), but takes other rows. The shard is not"
                        + " committed. Repair the store. If the refusals last until %s, the rows go to the dead"
                        + " letters. Answer of the store: %s",
                suspects.size(),
                rows.size(),
                100 * lane.limits().share(),
                Instant.ofEpochMilli(nowMs + TimeUnit.NANOSECONDS.toMillis(restNs)),
                suspects.get(0).reason));
    }

    private StoreLane.Held unproven() {
        return held(suspects.size() + " rows, and no row was accepted since this processor started. The shard is not"
                + " committed. Check the store and its url. Answer of the store: "
                + suspects.get(0).reason);
    }

    private StoreLane.Held held(String reason) {
        return new StoreLane.Held(reason, lane.clock().epochMs());
    }

    private void setAside() {
        for (Suspect suspect : suspects) {
            Row row = rows.get(suspect.index);
            refused.set(suspect.index);
            lane.badSeries().add(row, lane.clock().nanoTime());
            counters.increment(ProcessorCounter.FLUSHER_ROWS_REFUSED);
            counters.add(ProcessorCounter.FLUSHER_ROWS_POISONED, suspect.isContent ? 0 : 1);
            letters.write(row, suspect.reason);
        }
        Suspect first = suspects.get(0);
        lane.onSetAside(suspects.size(), rows.get(first.index), first.reason);
        suspects = List.of();
        held = null;
    }
}
