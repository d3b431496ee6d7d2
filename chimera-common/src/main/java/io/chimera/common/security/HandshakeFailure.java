package io.chimera.common.security;

import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Optional;

/** Names the cause of a failed TLS handshake where the JDK's own text does not say it to an operator. */
public final class HandshakeFailure {
    private HandshakeFailure() {}

    /**
     * Explains why a handshake failed.
     *
     * @param failure thrown by the JDK, or its wrapper
     * @return empty when the text of the exception is all that is known
     */
    public static Optional<String> reason(Throwable failure) {
        StringBuilder texts = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateExpiredException) {
                return Optional.of("the peer's certificate has expired (" + cause.getMessage() + ")");
            }
            if (cause instanceof CertificateNotYetValidException) {
                return Optional.of("the peer's certificate is not valid yet (" + cause.getMessage() + ")");
            }
            texts.append(cause.getMessage()).append('\n');
        }
        return Optional.ofNullable(ofText(texts.toString()));
    }

    private static String ofText(String texts) {
        if (texts.contains("No subject alternative") || texts.contains("No name matching")) {
            return "the peer's certificate does not bear the name or address that was connected to";
        }
        if (texts.contains("PKIX path building failed") || texts.contains("Path does not chain")) {
            return "the peer's certificate is not of an authority in this node's ca file";
        }
        if (texts.contains("Unsupported or unrecognized SSL message")) {
            return "the peer does not speak TLS";
        }
        // The JDK takes the plain alert of a peer that ends a handshake of TLS 1.3 for an encrypted record.
        if (texts.contains("AEAD cipher fragment") || texts.contains("(unknown_ca)")) {
            return "the peer ended the handshake; it probably does not trust the authority of this node's certificate";
        }
        if (texts.contains("fatal alert: ") && texts.contains("certificate")) {
            return "the peer does not accept this node's certificate: it is of another authority or name, expired,"
                    + " revoked or missing";
        }
        return null;
    }
}
