package io.chimera.coordinator.zookeeper.znode;

import io.chimera.common.cluster.Assignment;
import java.util.List;

/** Assignment of a cycle. The znode version is the version of the assignment. */
record AssignmentZnode(@MayBeMissing String digest, List<HexName> owners, List<HexName> processors) {
    static AssignmentZnode of(Assignment assignment) {
        return new AssignmentZnode(
                assignment.digest().text(), HexName.list(assignment.owners()), HexName.list(assignment.processors()));
    }

    Assignment assignment(int version) {
        return new Assignment(version, Digests.of(digest), HexName.values(owners), HexName.values(processors));
    }
}
