package io.chimera.archive.query;

import java.util.List;

/**
 * Which nodes of a cluster an answer comes from.
 *
 * @param nodes that there are
 * @param asked that were asked for what they hold
 * @param skipped that were not, as the index says that they hold nothing
 * @param indexNodes that were asked for the index
 * @param indexNodesFailed that did not answer; what they would have said was asked of the nodes themselves
 * @param absent that could not be asked: what they hold may lack
 */
public record NodeReport(
        int nodes, int asked, int skipped, int indexNodes, List<String> indexNodesFailed, List<Absent> absent) {
    /** Takes unmodifiable copies. */
    public NodeReport {
        indexNodesFailed = List.copyOf(indexNodesFailed);
        absent = List.copyOf(absent);
    }

    /**
     * A node that could not be asked, or not to the end.
     *
     * @param id its name; or {@link #UNKNOWN}
     * @param afterNs what is from this time on may lack, ns since 1970; Long.MIN_VALUE: all up to the end
     * @param beforeNs up to this time, included; Long.MAX_VALUE: to the end
     * @param why it could not
     */
    public record Absent(String id, long afterNs, long beforeNs, String why) {
        /** Stands for nodes that there may be and that nobody here knows of. */
        public static final String UNKNOWN = "?";
    }
}
