package io.chimera.queue.source;

import io.chimera.common.channel.HttpExchange;

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

    /** Points may be lost: the sender shall send everything again, later. */
    void refused(HttpExchange exchange, String reason);
}
