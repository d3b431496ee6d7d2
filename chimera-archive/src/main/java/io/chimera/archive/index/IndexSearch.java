package io.chimera.archive.index;

import java.util.List;

/** Finds intervals that may match. One thread each; searches run while the writer writes and do not hold it up. */
public final class IndexSearch implements AutoCloseable {
    private final Index index;
    private final IndexRecords records;
    private SearchRun run;
    private volatile boolean isCancelled;

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
        return run(new SearchRun.Question(probe, afterNs, beforeNs, (interval, entry) -> visitor.visit(interval)));
    }

    private SearchCounts run(SearchRun.Question question) {
        run = new SearchRun(index, records, question, () -> isCancelled);
        run.run();
        return run.counts();
    }

    /**
     * The most frequent values of a key in the intervals that meet a span of time, by what the index knows of each interval (Hyperion
     * 2007, 5.2). Reads no data but where records of the index are damaged or gone.
     *
     * @param key number of a range key with most frequent values
     * @param afterNs the earliest time, included; ns since 1970
     * @param beforeNs the latest time, included
     * @param values how many
     * @return most frequent first, by the least number of times that they were given
     * @throws io.chimera.common.error.ChimeraException when the device cannot be read
     */
    public List<RankedValue> top(int key, long afterNs, long beforeNs, int values) {
        index.keys().checkTop(key);
        Ranking ranking = new Ranking();
        int range = index.keys().range(key);
        run(new SearchRun.Question(Probe.all(), afterNs, beforeNs, (interval, entry) -> {
            ranking.add(entry == null ? TopValues.NONE : entry.range(range).top());
            return true;
        }));
        return ranking.top(values);
    }

    /** What the search under way has done up to now: for the visitor. Before the first search, null. */
    public SearchCounts counts() {
        return run == null ? null : run.counts();
    }

    /** Ends the search under way soon, also where it finds nothing to visit, and all that begin later at once. Any thread. */
    public void cancel() {
        isCancelled = true;
    }

    @Override
    public void close() {
        records.close();
    }
}
