package io.chimera.archive.query;

/**
 * What a query did up to now.
 *
 * @param streams that are asked
 * @param intervals that were read
 * @param skipped intervals in the span of time that the index ruled out
 * @param gone intervals that were overwritten
 * @param damaged intervals that could not be read, whose items lack in the answer
 * @param damage what was wrong with the first of them; empty: nothing
 * @param dataBytes of the intervals that were read
 * @param indexBytes of the records of the index that were read
 * @param indexReads records of the index that were read
 * @param looked packets or points looked at
 * @param unasked packets of kinds that the filter cannot ask about, and which lack in the answer
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
    /** Nothing yet. */
    public static final QueryProgress NONE = new QueryProgress(0, 0, 0, 0, 0, "", 0, 0, 0, 0, 0, 0);

    /** The same with so many in the answer. */
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

    /** The same with other words for what was wrong. */
    QueryProgress withDamage(String other) {
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

    /** The sum of both. */
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
