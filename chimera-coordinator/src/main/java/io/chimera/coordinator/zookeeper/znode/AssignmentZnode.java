package io.chimera.coordinator.zookeeper.znode;

import io.chimera.common.cluster.Assignment;
import java.util.List;

/** Assignment of a cycle. The znode version is the version of the assignment. */
record AssignmentZnode(@Later String digest, List<Name> owners, List<Name> processors) {
    static AssignmentZnode of(Assignment assignment) {
        return new AssignmentZnode(
                assignment.digest(), Name.list(assignment.owners()), Name.list(assignment.processors()));
    }

    Assignment assignment(int version) {
        return new Assignment(
                version, digest == null ? "" : digest, Name.values(owners), Name.values(processors));
    }
}
