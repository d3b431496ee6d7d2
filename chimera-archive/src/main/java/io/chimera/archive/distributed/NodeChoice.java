package io.chimera.archive.distributed;

import io.chimera.archive.query.NodeReport;
import io.chimera.archive.query.NodeReport.Absent;
import io.chimera.common.cluster.ArchiveMember;
import java.util.List;

/**
 * Whom a question has to be put to.
 *
 * @param targets who may hold something
 * @param nodes archive nodes that there are, those that are away included
 * @param skipped that hold nothing
 * @param indexNodes that were asked
 * @param indexNodesFailed that did not answer
 * @param absent that are away
 */
public record NodeChoice(
        List<Target> targets,
        int nodes,
        int skipped,
        int indexNodes,
        List<String> indexNodesFailed,
        List<Absent> absent) {
    /** Takes unmodifiable copies. */
    public NodeChoice {
        targets = List.copyOf(targets);
        indexNodesFailed = List.copyOf(indexNodesFailed);
        absent = List.copyOf(absent);
    }

    /**
     * What is told of the choice.
     *
     * @param unanswered who could not be asked, or not to the end
     */
    NodeReport report(List<Absent> unanswered) {
        return new NodeReport(nodes, targets.size(), skipped, indexNodes, indexNodesFailed, unanswered);
    }

    /**
     * A node to be asked.
     *
     * @param member which
     * @param afterNs the earliest time at which it may hold something
     * @param beforeNs the latest, included
     */
    public record Target(ArchiveMember member, long afterNs, long beforeNs) {}
}
