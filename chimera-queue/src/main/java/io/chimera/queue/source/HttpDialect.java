package io.chimera.queue.source;

import io.chimera.common.channel.HttpExchange;
import java.util.Map;

/** How one protocol answers a write over HTTP. */
interface HttpDialect {
    /** Every point is journaled. */
    void accepted(HttpExchange exchange);

    /**
     * Some or all points are bad; the others are journaled.
     *
     * @param exchange the request
     * @param rejects the bad points
     * @param taken number of good points
     */
    void rejected(HttpExchange exchange, RejectList rejects, long taken);

    /**
     * Points may be lost: the sender shall send everything again, later.
     *
     * @param status 503, or 429 when the sender sends too much
     * @param retrySeconds when to send again
     */
    void refused(HttpExchange exchange, int status, int retrySeconds, String reason);

    /** The header that says when to send again. */
    static Map<String, String> retryAfter(int seconds) {
        return Map.of("Retry-After", String.valueOf(seconds));
    }
}
