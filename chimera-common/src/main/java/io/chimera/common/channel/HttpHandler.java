package io.chimera.common.channel;

/** Answers HTTP requests. */
@FunctionalInterface
public interface HttpHandler {
    /**
     * Deals with a request whose body has arrived whole and unpacked. The answer may be given later and by any thread.
     *
     * @param exchange the request; keeps the handler's own state between calls
     * @return false when there is no room for it now: it is handed over again in about a millisecond
     */
    boolean handle(HttpExchange exchange);
}
