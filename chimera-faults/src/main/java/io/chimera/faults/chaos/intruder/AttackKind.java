package io.chimera.faults.chaos.intruder;

import java.util.Locale;

/** Kinds of attacks. No attack may ever succeed. */
public enum AttackKind {
    /** HTTP in plain text to a TLS port. */
    PLAIN_HTTP,
    /** Frames of the channel protocol in plain text. */
    PLAIN_FRAMES,
    /** Frames over TLS without a certificate. */
    FRAMES_WITHOUT_CERTIFICATE,
    /** Frames over TLS with a certificate of another authority, in the name of a node of this cluster. */
    FRAMES_FOREIGN_AUTHORITY,
    /** Frames over TLS with a certificate of the cluster's authority for a node of another cluster. */
    FRAMES_OTHER_CLUSTER,
    /** Frames in the name of a live session, over TLS with the certificate of an operator of the cluster. */
    FRAMES_OTHER_IDENTITY,
    /** Random, truncated and oversized messages, in plain text and over TLS. */
    MALFORMED,
    /** A request to a protected route without credentials. */
    HTTP_WITHOUT_TOKEN,
    /** A request to a protected route with wrong credentials. */
    HTTP_WRONG_TOKEN,
    /** A request to another spelling of a protected route. */
    HTTP_OTHER_SPELLING,
    /** Reads and writes of znodes in plain text. */
    ZOOKEEPER_PLAIN,
    /** Reads and writes of znodes over TLS with a certificate of another authority. */
    ZOOKEEPER_FOREIGN_AUTHORITY,
    /** Reads and writes of znodes with a valid certificate, without the cluster's secret or with a wrong secret. */
    ZOOKEEPER_WITHOUT_SECRET;

    /** Returns the printed name. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
