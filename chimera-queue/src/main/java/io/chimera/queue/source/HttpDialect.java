package io.chimera.queue.source;

import io.chimera.common.channel.HttpExchange;
import io.chimera.queue.source.reject.RejectList;
import java.util.Map;

/** Formats the answers to HTTP writes in one protocol. */
interface HttpDialect {
    /**
     * Answers a request after all points were journaled.
     *
     * @param exchange the request
     * @param written written elements of the request
     */
    void accepted(HttpExchange exchange, Written written);

    /**
     * Answers a request with malformed points; the valid points were journaled.
     *
     * @param exchange the request
     * @param rejects malformed points
     * @param written written elements of the request
     */
    void rejected(HttpExchange exchange, RejectList rejects, Written written);

    /**
     * Answers a request with possibly lost points: the sender must resend the whole request later.
     *
     * @param status 503, or 429 when the sender exceeds a limit
     * @param retrySeconds delay before the resend
     */
    void refused(HttpExchange exchange, int status, int retrySeconds, String reason);

    /** Builds the Retry-After header. */
    static Map<String, String> retryAfter(int seconds) {
        return Map.of("Retry-After", String.valueOf(seconds));
    }
}
