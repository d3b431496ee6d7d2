package io.chimera.common.security;

import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Optional;

/** Explains failed TLS handshakes whose JDK message is unclear to an operator. */
public final class HandshakeFailure {
    private HandshakeFailure() {}

    /**
     * Explains a failed handshake.
     *
     * @param failure exception of the JDK, possibly wrapped
     * @return empty if the message of the exception is the only information
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
            return "the peer's certificate does not contain the name or address of the connection";
        }
        if (texts.contains("PKIX path building failed") || texts.contains("Path does not chain")) {
            return "the peer's certificate was not issued by an authority in this node's ca file";
        }
        if (texts.contains("Unsupported or unrecognized SSL message")) {
            return "the peer does not speak TLS";
        }
        // The JDK misinterprets the plaintext alert of a peer ending a TLS 1.3 handshake as an encrypted record.
        if (texts.contains("AEAD cipher fragment") || texts.contains("(unknown_ca)")) {
            return "the peer ended the handshake; it probably does not trust the authority of this node's certificate";
        }
        if (texts.contains("fatal alert: ") && texts.contains("certificate")) {
            return "the peer does not accept this node's certificate: wrong authority or name, expired,"
                    + " revoked or missing";
        }
        // With TLS 1.3 the peer checks this node's certificate after this node's end of the handshake.
        if (texts.contains("Broken pipe") || texts.contains("Connection reset")) {
            return "the peer ended the connection; it probably does not accept this node's certificate, see its log";
        }
        return null;
    }
}
