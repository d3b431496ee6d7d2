package io.chimera.archive.index;

/** Finds intervals that may match. One thread each; searches run while the writer writes and do not hold it up. */
public final class IndexSearch implements AutoCloseable {
    private final Index index;
    private final IndexRecords records;
    private SearchRun run;

    IndexSearch(Index index) {
        this.index = index;
        records = new IndexRecords(index.store().reader(), index.keys());
    }

    /**
     * Visits every interval that may hold a matching item within a span of time, in the order of appending, up to what has
     * been ended when the search begins. Never misses one; may visit some in vain. Where records of the index are damaged or
     * gone, their intervals are visited.
     *
     * @param afterNs the earliest time, included; ns since 1970, Long.MIN_VALUE for the beginning
     * @param beforeNs the latest time, included; Long.MAX_VALUE for now
     * @return what it did
     * @throws io.chimera.common.error.ChimeraException when the device cannot be read
     */
    public SearchCounts search(Probe probe, long afterNs, long beforeNs, IntervalVisitor visitor) {
        index.keys().check(probe);
        run = new SearchRun(index, records, new SearchRun.Question(probe, afterNs, beforeNs, visitor));
        run.run();
        return run.counts();
    }

    /** What the search under way has done up to now: for the visitor. Before the first search, null. */
    public SearchCounts counts() {
        return run == null ? null : run.counts();
    }

    @Override
    public void close() {
        records.close();
    }
}
