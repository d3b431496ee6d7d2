package io.chimera.common.identity;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Identity of a node in its certificate: the URI {@code chimera://<cluster>/<role>/<id>} among the subject alternative
 * names.
 *
 * @param cluster name of the cluster
 * @param role {@link #QUEUE}, {@link #PROCESSOR} …
 * @param id id of the node
 */
public record NodeIdentity(String cluster, String role, String id) {
    /** Role of a queue node. */
    public static final String QUEUE = "queue";

    /** Role of a processor. */
    public static final String PROCESSOR = "processor";

    /** Role of a coordinator. */
    public static final String COORDINATOR = "coordinator";

    /** Role of an archive node. */
    public static final String ARCHIVE = "archive";

    /** Role of an operator of the cluster, a person or a program. */
    public static final String OPERATOR = "operator";

    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]*";
    private static final Pattern FORM = Pattern.compile("chimera://(" + NAME + ")/(" + NAME + ")/(" + NAME + ")");

    /** Checks the names. */
    public NodeIdentity {
        if (!cluster.matches(NAME) || !role.matches(NAME) || !id.matches(NAME)) {
            throw new IllegalArgumentException("Cluster, role and id consist of letters, digits, dots, dashes and"
                    + " underscores, and begin with a letter or digit.");
        }
    }

    /** Parses the URI of an identity; empty for another format. */
    public static Optional<NodeIdentity> parse(String uri) {
        Matcher matcher = FORM.matcher(uri);
        return matcher.matches()
                ? Optional.of(new NodeIdentity(matcher.group(1), matcher.group(2), matcher.group(3)))
                : Optional.empty();
    }

    /** Returns whether a member of a cluster is this node, or a lane of this node. */
    public boolean covers(NodeIdentity member) {
        return cluster.equals(member.cluster) && role.equals(member.role) && LaneId.isOf(id, member.id);
    }

    /** Formats the identity as a URI. */
    @Override
    public String toString() {
        return "chimera://" + cluster + "/" + role + "/" + id;
    }
}
