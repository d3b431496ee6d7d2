package io.chimera.common.channel;

import java.net.InetSocketAddress;

/** Answers HTTP requests. */
@FunctionalInterface
public interface HttpHandler {
    /**
     * Decides, when the headers of a request are there, whether its body is read. On the listener's thread; never blocks.
     *
     * @return the answer of a refused request; null when the request is accepted
     */
    default HttpRefusal admit(HttpExchange exchange) {
        return null;
    }

    /**
     * Hears of a request that the listener refused itself. On the listener's thread; never blocks.
     *
     * @param status of the answer
     * @param reason message of the answer
     * @param target method and path; where it was no HTTP request, the beginning of what it was
     * @param client address of the client
     */
    default void onRefused(int status, String reason, String target, InetSocketAddress client) {}

    /**
     * Deals with a request whose body has arrived whole and unpacked. The answer may be given later and by any thread.
     *
     * @param exchange the request; keeps the handler's own state between calls
     * @return false when there is no room for it now: it is handed over again in about a millisecond
     */
    boolean handle(HttpExchange exchange);
}
