package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.ClusterView;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Wanted content of a member's announcement. Immutable.
 *
 * @param member the announced member
 * @param content the znode of the announcement
 * @param registration persistent znode that registers the node; empty for no registration. A member that leaves keeps
 *     an existing registration, and creates none before an earlier registration is certainly lost
 * @param rule relation of the member to its registration of an earlier start
 * @param upgrade znode that must have this content from the announcement on; empty for none
 * @param shown tests whether a view shows the announcement
 */
record MemberAnnouncement(
        Member member,
        Content content,
        Optional<Content> registration,
        RegistrationRule rule,
        Optional<Content> upgrade,
        Predicate<ClusterView> shown) {
    /** Creates an announcement whose registration replaces any earlier one. */
    MemberAnnouncement(Member member, Content content, Optional<Content> registration, Predicate<ClusterView> shown) {
        this(member, content, registration, RegistrationRule.REPLACING, Optional.empty(), shown);
    }

    /**
     * Identity of an announced process.
     *
     * @param role role of the id: a queue node and a processor may have the same id
     * @param id id of the node
     * @param session session of the process
     */
    record Member(String role, String id, long session) {}

    /** Whether a member stays in the cluster. */
    enum Standing {
        STAYS,

        /** The member drains. Every other member must learn this at once, and not with the next periodic read. */
        LEAVES
    }

    /** A znode with its wanted data. */
    static final class Content {
        private final String path;
        private final byte[] data;
        private final Standing standing;

        /** Creates the content of a znode that says nothing about a departure. */
        Content(String path, byte[] data) {
            this(path, data, Standing.STAYS);
        }

        Content(String path, byte[] data, Standing standing) {
            this.path = path;
            this.data = data;
            this.standing = standing;
        }

        String path() {
            return path;
        }

        byte[] data() {
            return data;
        }

        Standing standing() {
            return standing;
        }
    }
}
