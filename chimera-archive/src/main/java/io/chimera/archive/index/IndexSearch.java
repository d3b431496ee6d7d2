package io.chimera.archive.index;

import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.key.TopValues;
import io.chimera.archive.index.record.IndexRecords;
import java.util.List;

/**
 * Finds intervals with possible matches. One thread per search; searches run concurrently with the writer and never
 * block the writer.
 */
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
     * Visits every interval that may hold a matching item within a time span, in the order of appending, up to the
     * intervals ended at the start of the search. False negatives are impossible, false positives are not. Intervals of
     * damaged or overwritten index records are visited without a check.
     *
     * @param afterNs earliest time, included; ns since 1970, Long.MIN_VALUE for the beginning
     * @param beforeNs latest time, included; Long.MAX_VALUE for now
     * @return the counters of the search
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
     * Returns the most frequent values of a key in the intervals of a time span, from the index alone (Hyperion 2007,
     * 5.2). Reads data only if index records are damaged or overwritten.
     *
     * @param key number of a range key with most frequent values
     * @param afterNs earliest time, included; ns since 1970
     * @param beforeNs latest time, included
     * @param values number of values to return
     * @return values in descending order of their minimum count
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

    /** Returns the counters of the current search so far, for the visitor. Null before the first search. */
    public SearchCounts counts() {
        return run == null ? null : run.counts();
    }

    /** Cancels the current search soon, even without a match, and all later searches at once. Any thread. */
    public void cancel() {
        isCancelled = true;
    }

    @Override
    public void close() {
        records.close();
    }
}
