package io.chimera.common.channel;

import io.chimera.common.security.PeerCertificate;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** One HTTP request and its answer. */
public interface HttpExchange {
    /** {@code GET}, {@code POST} … */
    String method();

    /** Path without query, decoded. */
    String path();

    /** First value of a query parameter, decoded; null when absent. */
    String parameter(String name);

    /** First value of a header, name in any case; null when absent. */
    String header(String name);

    /** Address of the client's end of the connection. */
    InetSocketAddress client();

    /** Whether the port is bound to a loopback address, so that only programs on this machine reach it. */
    boolean isLoopbackOnly();

    /** The certificate that the client proved to hold; empty without TLS, and where the client showed none. */
    default Optional<PeerCertificate> certificate() {
        return Optional.empty();
    }

    /** Name of the principal that sent the request; empty for a client without credentials. */
    String principal();

    /**
     * Sets the principal, while the request is admitted, and counts the connection among those of the principal.
     *
     * @param connectionsMax connections that the principal may have open; 0: no limit
     * @param all open connections of all principals
     * @return false when the principal has too many connections
     */
    boolean admit(String principal, int connectionsMax, PrincipalConnections all);

    /** Array that holds the unpacked body; the handler's until it answers or gives it back. */
    byte[] body();

    /** Number of body bytes, from index 0. */
    int bodyLength();

    /**
     * Gives the body back before the answer, so that those who wait for answers need no memory for what was read long
     * ago. It is empty from then on. Only while the handler is called.
     */
    void releaseBody();

    /** State that the handler has set; null at first. */
    Object attachment();

    /** Keeps state for the next call with this exchange. */
    void attach(Object state);

    /**
     * Answers, once. Any thread.
     *
     * @param status e.g. 204
     * @param headers further headers, e.g. {@code Content-Type}
     * @param body content, empty for none
     */
    void respond(int status, Map<String, String> headers, byte[] body);

    /**
     * Looks out for a client that goes away before it has its answer: without, that shows when something is sent. Only for a
     * handler that may work long before it sends anything. A client that ends its own half of the connection counts as gone from now on.
     */
    void watch();

    /** Whether the client was seen to have gone away. Any thread. */
    boolean isGone();

    /**
     * Begins an answer that is sent in parts, instead of {@link #respond}. A thread of the handler's own.
     *
     * @param headers further headers; none of the length
     */
    HttpAnswer respondInParts(int status, Map<String, String> headers);

    /** Answers 200 or another status with text in UTF-8. */
    default void respond(int status, String contentType, String body) {
        respond(status, Map.of("Content-Type", contentType), body.getBytes(StandardCharsets.UTF_8));
    }
}
