package io.chimera.common.identity;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * Names of a peer's authenticated certificate.
 *
 * @param subject distinguished name
 * @param identities node identities of the certificate
 * @param names common name, DNS names and URIs
 */
public record PeerCertificate(String subject, List<NodeIdentity> identities, List<String> names) {
    private static final int DNS_NAME = 2;
    private static final int URI_NAME = 6;

    /** Copies the lists. */
    public PeerCertificate {
        identities = List.copyOf(identities);
        names = List.copyOf(names);
    }

    /** Extracts the names of a certificate. */
    public static PeerCertificate of(X509Certificate certificate) {
        String subject = certificate.getSubjectX500Principal().getName();
        List<String> names = new ArrayList<>(commonNames(subject));
        List<NodeIdentity> identities = new ArrayList<>();
        for (List<?> name : alternativeNames(certificate)) {
            int type = (Integer) name.get(0);
            if (type == DNS_NAME || type == URI_NAME) {
                names.add((String) name.get(1));
            }
            if (type == URI_NAME) {
                NodeIdentity.parse((String) name.get(1)).ifPresent(identities::add);
            }
        }
        return new PeerCertificate(subject, identities, names);
    }

    private static Collection<List<?>> alternativeNames(X509Certificate certificate) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names == null ? List.of() : names;
        } catch (CertificateParsingException e) {
            return List.of(); // unreadable names match nothing
        }
    }

    private static List<String> commonNames(String subject) {
        try {
            return new LdapName(subject)
                    .getRdns().stream()
                            .filter(part -> part.getType().equalsIgnoreCase("CN"))
                            .map(Rdn::getValue)
                            .map(String::valueOf)
                            .toList();
        } catch (InvalidNameException e) {
            return List.of();
        }
    }

    /** Returns whether the certificate belongs to a member of a cluster. */
    public boolean isOf(String cluster) {
        return identities.stream().anyMatch(identity -> identity.cluster().equals(cluster));
    }

    /** Returns whether the certificate names at least one node with a role. */
    public boolean hasRole(String cluster, String role) {
        return identities.stream()
                .anyMatch(identity ->
                        identity.cluster().equals(cluster) && identity.role().equals(role));
    }

    /** Returns whether any name matches any pattern; * matches any text. */
    public boolean matches(List<String> patterns) {
        return patterns.stream()
                .map(pattern -> Pattern.compile("\\Q" + pattern.replace("*", "\\E.*\\Q") + "\\E"))
                .anyMatch(pattern ->
                        names.stream().anyMatch(name -> pattern.matcher(name).matches()));
    }

    /**
     * Compares the peer of a connection with the node of its session. Returns the reason of a mismatch; empty for a
     * match, and for connections without TLS, which prove nothing. The certificate of a node belongs to its lanes too.
     *
     * @param certificate certificate of the connection's peer
     * @param node node of the session in the membership view
     */
    public static Optional<String> mismatch(Optional<PeerCertificate> certificate, NodeIdentity node) {
        return certificate
                .filter(shown -> shown.identities.stream().noneMatch(identity -> identity.covers(node)))
                .map(shown ->
                        "its certificate (" + shown.subject + ") names " + shown.identities + " instead of " + node);
    }
}
