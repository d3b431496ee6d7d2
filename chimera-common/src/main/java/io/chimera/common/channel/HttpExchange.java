package io.chimera.common.channel;

import io.chimera.common.identity.PeerCertificate;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** HTTP request with its answer. */
public interface HttpExchange {
    /** Method: {@code GET}, {@code POST} … */
    String method();

    /** Decoded path without the query. */
    String path();

    /** First value of a query parameter, decoded; null for a missing parameter. */
    String parameter(String name);

    /** First value of a header, case-insensitive by name; null for a missing header. */
    String header(String name);

    /** Address of the client's end of the connection. */
    InetSocketAddress client();

    /** Authenticated certificate of the client; empty without TLS or without a client certificate. */
    default Optional<PeerCertificate> certificate() {
        return Optional.empty();
    }

    /** Name of the request's principal; empty for a client without credentials. */
    String principal();

    /**
     * Sets the principal during the admission of the request, and counts the connection for the principal.
     *
     * @param connectionsMax maximum number of the principal's open connections; 0: no limit
     * @param all open connections of all principals
     * @return false if the principal has too many connections
     */
    boolean admit(String principal, int connectionsMax, PrincipalConnections all);

    /** Array of the decompressed body; owned by the handler until the answer or {@link #releaseBody}. */
    byte[] body();

    /** Number of body bytes, from index 0. */
    int bodyLength();

    /**
     * Returns the body's memory before the answer, so a pending answer needs no memory for its processed request. The
     * body is empty afterwards. Call only during a call of the handler.
     */
    void releaseBody();

    /** State set by the handler; null at first. */
    Object attachment();

    /** Sets state for the handler's next call with this exchange. */
    void attach(Object state);

    /**
     * Answers the request once. Any thread.
     *
     * @param status e.g. 204
     * @param headers further headers, e.g. {@code Content-Type}
     * @param body content, empty for none
     */
    void respond(int status, Map<String, String> headers, byte[] body);

    /**
     * Enables early detection of a client disconnect; otherwise a disconnect is detected only while sending. For
     * handlers with a long computation before the first byte of the answer. A half-closed connection of the client then
     * counts as a disconnect.
     */
    void watch();

    /** Returns whether a client disconnect was detected. Any thread. */
    boolean isGone();

    /**
     * Begins an answer in parts, instead of {@link #respond}. Call on a thread of the handler.
     *
     * @param headers further headers, without a content length
     */
    HttpAnswer respondInParts(int status, Map<String, String> headers);

    /** Answers with a status and UTF-8 text. */
    default void respond(int status, String contentType, String body) {
        respond(status, Map.of("Content-Type", contentType), body.getBytes(StandardCharsets.UTF_8));
    }
}
