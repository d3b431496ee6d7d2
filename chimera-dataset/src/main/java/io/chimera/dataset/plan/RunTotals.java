package io.chimera.dataset.plan;

/**
 * Measurements of a running job, as sums since its start.
 *
 * @param elapsedSeconds time since the start
 * @param spent cost so far, in the currency of the prices
 * @param splits splits computed by this run
 * @param computedBytes length of these splits
 * @param events events of these splits
 * @param computingSeconds time that cores computed these splits, waiting for bytes excluded
 * @param waitingSeconds time that cores waited for the bytes of these splits
 * @param receivedBytes bytes from the sources
 * @param receivingSeconds time with at least one read of a source under way
 * @param copiedBytes bytes with a copy that are not computed yet
 * @param writtenBytes bytes written to copies
 * @param writingSeconds time in which copies were written
 */
public record RunTotals(
        double elapsedSeconds,
        double spent,
        long splits,
        long computedBytes,
        long events,
        double computingSeconds,
        double waitingSeconds,
        long receivedBytes,
        double receivingSeconds,
        long copiedBytes,
        long writtenBytes,
        double writingSeconds) {
    /** Nothing done yet. */
    public static final RunTotals NONE = new RunTotals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** Returns the share of the workers' time that they waited for bytes, 0 to 1; 0 before the first split. */
    double waitingShare() {
        double whole = computingSeconds + waitingSeconds;
        return whole > 0 ? waitingSeconds / whole : 0;
    }

    /** Returns the bytes that a core computes per second; not a number before the first split. */
    double computingPerCore() {
        return computedBytes / computingSeconds;
    }

    /** Returns the bytes received per second while reads were under way; not a number before the first read. */
    double reception() {
        return receivedBytes / receivingSeconds;
    }

    /** Returns what was done since earlier totals; the time, the cost and the bytes of copies stay those of now. */
    RunTotals since(RunTotals earlier) {
        return new RunTotals(
                elapsedSeconds,
                spent,
                splits - earlier.splits,
                computedBytes - earlier.computedBytes,
                events - earlier.events,
                computingSeconds - earlier.computingSeconds,
                waitingSeconds - earlier.waitingSeconds,
                receivedBytes - earlier.receivedBytes,
                receivingSeconds - earlier.receivingSeconds,
                copiedBytes,
                writtenBytes - earlier.writtenBytes,
                writingSeconds - earlier.writingSeconds);
    }
}
