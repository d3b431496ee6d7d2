package io.chimera.common.channel;

import io.chimera.common.security.PeerCertificate;
import java.net.InetSocketAddress;
import java.util.Optional;

/** The other end of a TCP connection, for its {@link StreamHandler}. Any thread. */
public interface Peer {
    /** Its address. */
    InetSocketAddress address();

    /** The certificate that the other end proved to hold; empty without TLS, and where it showed none. */
    default Optional<PeerCertificate> certificate() {
        return Optional.empty();
    }

    /** Name of the principal that logged in; empty for a client without credentials. */
    default String principal() {
        return "";
    }

    /**
     * Counts the connection among those of a principal. On the event loop of the connection.
     *
     * @param connectionsMax connections that the principal may have open; 0: no limit
     * @param all open connections of all principals
     * @return false when the principal has too many connections
     */
    boolean admit(String principal, int connectionsMax, PrincipalConnections all);

    /** Sends bytes back; those that cannot be sent at once because the other end does not read are dropped. */
    void reply(byte[] bytes);

    /** Sends a last answer, drops what else arrives, and closes the connection when the other end has had time to read. */
    default void refuse(byte[] answer) {
        reply(answer);
        close();
    }

    /** Closes the connection, whatever is on its way. */
    void close();
}
