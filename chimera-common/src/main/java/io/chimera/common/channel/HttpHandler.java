package io.chimera.common.channel;

import java.net.InetSocketAddress;

/** Handler of HTTP requests. */
@FunctionalInterface
public interface HttpHandler {
    /**
     * Decides after the headers whether to read the body of a request. On the listener's thread; must not block.
     *
     * @return answer of a refused request; null for an accepted request
     */
    default HttpRefusal admit(HttpExchange exchange) {
        return null;
    }

    /** Returns the content encodings of request bodies, decoded before {@link #handle}. */
    default BodyEncoding encoding() {
        return BodyEncoding.ZLIB;
    }

    /**
     * Reports a request refused by the listener. On the listener's thread; must not block.
     *
     * @param status status of the answer
     * @param reason message of the answer
     * @param target method and path; for input other than HTTP, the beginning of the input
     * @param client address of the client
     */
    default void onRefused(int status, String reason, String target, InetSocketAddress client) {}

    /**
     * Handles a request with a complete, decompressed body. Any thread may answer, also later.
     *
     * @param exchange the request; keeps the handler's own state between calls
     * @return false if the handler has no room: the listener passes the request again after about a millisecond
     */
    boolean handle(HttpExchange exchange);
}
