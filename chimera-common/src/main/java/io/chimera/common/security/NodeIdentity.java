package io.chimera.common.security;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A node's name in its certificate: the URI {@code chimera://<cluster>/<role>/<id>} among the subject alternative names.
 *
 * @param cluster name of the cluster
 * @param role {@link #QUEUE}, {@link #PROCESSOR} …
 * @param id the node's id
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

    /** Role of a person or program that operates the cluster. */
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

    /** The identity that a URI stands for; empty when the URI has another form. */
    public static Optional<NodeIdentity> parse(String uri) {
        Matcher matcher = FORM.matcher(uri);
        return matcher.matches()
                ? Optional.of(new NodeIdentity(matcher.group(1), matcher.group(2), matcher.group(3)))
                : Optional.empty();
    }

    /** The URI. */
    @Override
    public String toString() {
        return "chimera://" + cluster + "/" + role + "/" + id;
    }
}
