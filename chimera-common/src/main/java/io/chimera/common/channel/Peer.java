package io.chimera.common.channel;

import io.chimera.common.identity.PeerCertificate;
import java.net.InetSocketAddress;
import java.util.Optional;

/** Remote end of a TCP connection, for its {@link StreamHandler}. Any thread. */
public interface Peer {
    /** Address of the remote end. */
    InetSocketAddress address();

    /** Authenticated certificate of the remote end; empty without TLS or without a client certificate. */
    default Optional<PeerCertificate> certificate() {
        return Optional.empty();
    }

    /** Name of the authenticated principal; empty for a client without credentials. */
    default String principal() {
        return "";
    }

    /**
     * Counts the connection for a principal. On the event loop of the connection.
     *
     * @param connectionsMax maximum number of the principal's open connections; 0: no limit
     * @param all open connections of all principals
     * @return false if the principal has too many connections
     */
    boolean admit(String principal, int connectionsMax, PrincipalConnections all);

    /** Sends bytes back. Drops the bytes if the socket is not writable because the client does not read. */
    void reply(byte[] bytes);

    /**
     * Sends a final answer, drops all further input, and closes the connection after a delay for the client to read the
     * answer.
     */
    default void refuse(byte[] answer) {
        reply(answer);
        close();
    }

    /** Closes the connection immediately. */
    void close();
}
