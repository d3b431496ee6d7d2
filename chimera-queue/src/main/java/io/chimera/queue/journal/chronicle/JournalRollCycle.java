package io.chimera.queue.journal.chronicle;

import java.util.concurrent.TimeUnit;
import net.openhft.chronicle.queue.RollCycle;
import net.openhft.chronicle.queue.rollcycles.RollCycleArithmetic;

/**
 * Roll cycle of the journal's Chronicle queues: the journal chooses the time of each roll, with a resolution of one
 * second. Chronicle's own roll cycles for production begin at one minute. Length and format are the same as in
 * Chronicle's TEST_SECONDLY, so Chronicle's own tools find a roll cycle for the folder.
 */
enum JournalRollCycle implements RollCycle {
    /** One file per second at most. */
    SECONDLY;

    /** Index arrays of 8 KiB with an entry for every 16th excerpt: 16 M excerpts per file. */
    private static final int INDEX_COUNT = 1024;

    private static final int INDEX_SPACING = 16;

    @SuppressWarnings("ImmutableEnumChecker") // final fields only
    private final RollCycleArithmetic arithmetic = arithmetic();

    private static RollCycleArithmetic arithmetic() {
        return RollCycleArithmetic.of(INDEX_COUNT, INDEX_SPACING);
    }

    @Override
    public String format() {
        return "yyyyMMdd-HHmmss'T'";
    }

    @Override
    public int lengthInMillis() {
        return (int) TimeUnit.SECONDS.toMillis(1);
    }

    @Override
    public int defaultIndexCount() {
        return INDEX_COUNT;
    }

    @Override
    public int defaultIndexSpacing() {
        return INDEX_SPACING;
    }

    @Override
    public long toIndex(int cycle, long sequenceNumber) {
        return arithmetic.toIndex(cycle, sequenceNumber);
    }

    @Override
    public long toSequenceNumber(long index) {
        return arithmetic.toSequenceNumber(index);
    }

    @Override
    public int toCycle(long index) {
        return arithmetic.toCycle(index);
    }

    @Override
    public long maxMessagesPerCycle() {
        return arithmetic.maxMessagesPerCycle();
    }
}
