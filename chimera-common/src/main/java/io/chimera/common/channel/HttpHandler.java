package io.chimera.common.channel;

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
     * Deals with a request whose body has arrived whole and unpacked. The answer may be given later and by any thread.
     *
     * @param exchange the request; keeps the handler's own state between calls
     * @return false when there is no room for it now: it is handed over again in about a millisecond
     */
    boolean handle(HttpExchange exchange);
}
