package io.chimera.archive.query;

/**
 * Progress of a query.
 *
 * @param streams queried streams
 * @param intervals intervals read
 * @param skipped intervals in the time span ruled out by the index
 * @param gone overwritten intervals
 * @param damaged unreadable intervals, whose items are missing in the answer
 * @param damage first error; empty: none
 * @param dataBytes bytes of the intervals read
 * @param indexBytes bytes of the index records read
 * @param indexReads index records read
 * @param looked packets or points examined
 * @param unasked packets of link types outside the filter's support, missing in the answer
 * @param found packets or points in the answer
 */
public record QueryProgress(
        int streams,
        long intervals,
        long skipped,
        long gone,
        long damaged,
        String damage,
        long dataBytes,
        long indexBytes,
        long indexReads,
        long looked,
        long unasked,
        long found) {
    /** No progress. */
    public static final QueryProgress NONE = new QueryProgress(0, 0, 0, 0, 0, "", 0, 0, 0, 0, 0, 0);

    /** Returns a copy with another number of found items. */
    public QueryProgress withFound(long others) {
        return new QueryProgress(
                streams,
                intervals,
                skipped,
                gone,
                damaged,
                damage,
                dataBytes,
                indexBytes,
                indexReads,
                looked,
                unasked,
                others);
    }

    /** Returns a copy with another error text. */
    public QueryProgress withDamage(String other) {
        return new QueryProgress(
                streams,
                intervals,
                skipped,
                gone,
                damaged,
                other,
                dataBytes,
                indexBytes,
                indexReads,
                looked,
                unasked,
                found);
    }

    /** Returns the sum of both. */
    public QueryProgress plus(QueryProgress other) {
        return new QueryProgress(
                streams + other.streams,
                intervals + other.intervals,
                skipped + other.skipped,
                gone + other.gone,
                damaged + other.damaged,
                damage.isEmpty() ? other.damage : damage,
                dataBytes + other.dataBytes,
                indexBytes + other.indexBytes,
                indexReads + other.indexReads,
                looked + other.looked,
                unasked + other.unasked,
                found + other.found);
    }
}
