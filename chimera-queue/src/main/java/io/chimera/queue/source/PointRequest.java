package io.chimera.queue.source;

import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.source.reject.RejectList;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;

/**
 * HTTP request with points, from receipt to answer. While the ring is full, the request keeps its position in the body
 * and its parser, if any, but no slot. While waiting for the answer, the request holds neither parser nor body.
 */
final class PointRequest extends Delivery {
    /** Maximum wait for room in the ring before the sender is told to retry. */
    private static final long FULL_NS_MAX = TimeUnit.SECONDS.toNanos(5);

    private static final int RETRY_SECONDS = 1;

    /** Limits for new series are per minute. */
    private static final int SERIES_RETRY_SECONDS = 60;

    private final HttpExchange exchange;
    private final InputContext inlet;
    private final HttpDialect dialect;
    private final Chunk chunk = new Chunk();
    private final RejectList rejects;
    private final long arrivalNs;

    private Parser parser;
    private final int bodyLength;
    private long taken;

    /** Set when the whole body is parsed, as every request with a success or a rejection. */
    private Written written;

    private long seriesRefused;
    private long fullSinceNs;

    /**
     * Starts processing a request.
     *
     * @param exchange the request
     * @param inlet input of the request
     * @param dialect format of the answer
     * @param unitNs nanoseconds per unit of the timestamps in the body
     */
    PointRequest(HttpExchange exchange, InputContext inlet, HttpDialect dialect, long unitNs) {
        this.exchange = exchange;
        this.inlet = inlet;
        this.dialect = dialect;
        rejects = new RejectList(inlet.protocol());
        chunk.restart(unitNs).wrap(exchange.body(), 0, exchange.bodyLength(), true);
        bodyLength = exchange.bodyLength();
        arrivalNs = inlet.clock().epochNs();
        fullSinceNs = inlet.clock().nanoTime();
        inlet.counters().add(QueueCounter.SOURCE_BYTES_RECEIVED, exchange.bodyLength());
    }

    private void charge() {
        inlet.access().control().charge(exchange.principal(), taken, bodyLength);
    }

    /** Parses as much of the body as fits into the ring; false when the listener must call again. */
    boolean proceed() {
        long before = taken;
        if (hasRoom() && parse()) {
            written = inlet.written(parser, taken);
            inlet.giveBack(parser);
            exchange.releaseBody();
            charge();
            complete();
            return true;
        }
        long nowNs = inlet.clock().nanoTime();
        if (taken > before) {
            fullSinceNs = nowNs;
        } else if (nowNs - fullSinceNs > FULL_NS_MAX) {
            giveParserBack();
            abandon("The node cannot accept points: its ring has been full for 5 s."
                    + " Retry later; if the error persists, check the log of the node for journal errors.");
            return true;
        }
        return false;
    }

    /** Whether parsing may continue; a request without a parser first waits for room. */
    private boolean hasRoom() {
        if (parser != null || inlet.hasRoom()) {
            return true;
        }
        inlet.counters().increment(QueueCounter.SOURCE_RING_FULL);
        return false;
    }

    private void giveParserBack() {
        if (parser != null) {
            inlet.giveBack(parser);
        }
    }

    private boolean parse() {
        if (parser == null) {
            parser = inlet.takeParser();
        }
        RingPointSink sink = inlet.takeSink();
        sink.open(this, rejects, arrivalNs);
        sink.from(sender());
        sink.client(exchange.client());
        try {
            return parser.parse(chunk, sink);
        } finally {
            taken += sink.taken();
            seriesRefused += sink.seriesRefused();
            sink.flush();
            inlet.giveBack(sink);
        }
    }

    /** Returns the principal, or the client's address. */
    private Object sender() {
        InetAddress address = exchange.client().getAddress();
        return exchange.principal().isEmpty() && address != null ? address : exchange.principal();
    }

    @Override
    void done(String reason) {
        try {
            answer(reason);
        } catch (RuntimeException e) { // the caller, often the journaler, must not fail for one request
            inlet.unanswered(exchange, e);
        }
    }

    private void answer(String reason) {
        if (reason != null) {
            inlet.counters().increment(QueueCounter.SOURCE_REQUESTS_REFUSED);
            dialect.refused(exchange, 503, RETRY_SECONDS, reason);
        } else if (taken == 0 && seriesRefused > 0 && seriesRefused == rejects.count()) {
            // No point was accepted, so a resend of the whole request duplicates nothing.
            inlet.counters().increment(QueueCounter.SOURCE_REQUESTS_BAD);
            dialect.refused(
                    exchange, 429, SERIES_RETRY_SECONDS, rejects.kept().get(0).reason());
        } else if (rejects.count() > 0) {
            inlet.counters().increment(QueueCounter.SOURCE_REQUESTS_BAD);
            dialect.rejected(exchange, rejects, written);
        } else {
            dialect.accepted(exchange, written);
        }
    }
}
