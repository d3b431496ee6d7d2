package io.chimera.archive.distributed;

import io.chimera.archive.query.answer.NodeReport;
import io.chimera.archive.query.answer.NodeReport.Absent;
import io.chimera.common.cluster.archive.ArchiveMember;
import java.util.List;

/**
 * Selection of the nodes for a question.
 *
 * @param targets nodes with possibly matching data
 * @param nodes number of archive nodes, including absent nodes
 * @param skipped number of nodes without matching data
 * @param indexNodes number of index nodes queried
 * @param indexNodesFailed index nodes without an answer
 * @param absent absent nodes
 */
public record NodeChoice(
        List<Target> targets,
        int nodes,
        int skipped,
        int indexNodes,
        List<String> indexNodesFailed,
        List<Absent> absent) {
    /** Makes unmodifiable copies. */
    public NodeChoice {
        targets = List.copyOf(targets);
        indexNodesFailed = List.copyOf(indexNodesFailed);
        absent = List.copyOf(absent);
    }

    /**
     * Returns the report on the selection.
     *
     * @param unanswered nodes without an answer, or with an incomplete answer
     */
    NodeReport report(List<Absent> unanswered) {
        return new NodeReport(nodes, targets.size(), skipped, indexNodes, indexNodesFailed, unanswered);
    }

    /**
     * Node to query.
     *
     * @param member archive node
     * @param afterNs earliest time of possible matches
     * @param beforeNs latest time of possible matches, included
     */
    public record Target(ArchiveMember member, long afterNs, long beforeNs) {}
}
