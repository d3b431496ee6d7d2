package io.chimera.common.cluster.membership;

import io.chimera.common.identity.NodeIdentity;
import io.chimera.common.identity.PeerCertificate;
import io.chimera.common.wire.Hello;
import java.util.Optional;

/**
 * Node that the connecting end of a connection expects at an address. {@link Admission} is the check of the accepting
 * end.
 *
 * @param self HELLO of this node
 * @param session session of the node in the view
 * @param identity node that a certificate must name
 */
public record ExpectedPeer(Hello self, long session, NodeIdentity identity) {
    /**
     * Result of the check.
     *
     * @param isExpected whether the node is the expected node
     * @param isForeign whether the certificate names another node
     * @param reason reason of the refusal, phrased to complete "refused: …"; empty for the expected node
     */
    public record Verdict(boolean isExpected, boolean isForeign, String reason) {}

    /**
     * Checks the answer of the other end.
     *
     * @param answer HELLO of the other end
     * @param certificate certificate of the other end; empty without TLS
     */
    public Verdict check(Hello answer, Optional<PeerCertificate> certificate) {
        if (answer.session() != session || !answer.fits(self)) {
            // another process took over the address; the member list will show the new member
            return new Verdict(
                    false,
                    false,
                    "it answered as another node: " + answer + " instead of session " + Long.toHexString(session)
                            + " for " + self + "; check its address, the cluster name and the version of both");
        }
        return PeerCertificate.mismatch(certificate, identity)
                .map(reason -> new Verdict(false, true, reason))
                .orElseGet(() -> new Verdict(true, false, ""));
    }
}
