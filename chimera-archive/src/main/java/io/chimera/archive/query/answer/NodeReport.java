package io.chimera.archive.query.answer;

import java.util.List;

/**
 * Participation of the nodes of a cluster in an answer.
 *
 * @param nodes number of known nodes
 * @param asked number of nodes queried for data
 * @param skipped number of nodes without matching data according to the index
 * @param indexNodes number of nodes queried for the index
 * @param indexNodesFailed index nodes without an answer; the nodes covered by them were queried directly
 * @param absent unreachable nodes, whose data may be missing
 */
public record NodeReport(
        int nodes, int asked, int skipped, int indexNodes, List<String> indexNodesFailed, List<Absent> absent) {
    /** Makes unmodifiable copies. */
    public NodeReport {
        indexNodesFailed = List.copyOf(indexNodesFailed);
        absent = List.copyOf(absent);
    }

    /**
     * Node without an answer, or with an incomplete answer.
     *
     * @param id id of the node; or {@link #UNKNOWN}
     * @param afterNs start of the possibly missing time range, ns since 1970; Long.MIN_VALUE: unbounded
     * @param beforeNs end of the possibly missing time range, included; Long.MAX_VALUE: unbounded
     * @param why reason of the failure
     */
    public record Absent(String id, long afterNs, long beforeNs, String why) {
        /** Placeholder for nodes unknown to the querying node. */
        public static final String UNKNOWN = "?";
    }
}
