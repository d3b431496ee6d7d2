package io.chimera.queue.source;

import io.chimera.api.spi.Parser;
import io.chimera.common.access.AccessControl;
import io.chimera.common.access.PortAccess;
import io.chimera.common.agent.Clock;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.WireProtocol;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.wire.encode.RecordEncoder;
import io.chimera.queue.source.reject.InputRejects;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Shared state of the sources of one input: pools of parsers and sinks for requests, the ring, and the counters.
 * Thread-safe.
 */
public final class InputContext {
    /**
     * Limit of each pool; further parsers are discarded after use. A sink is in use only while a thread reads from one
     * connection. The number of sinks therefore equals the highest number of listener threads reading at the same time.
     * Each sink keeps a dictionary of up to 25 MiB (see {@link RecordEncoder}).
     */
    private static final int POOLED_MAX = 64;

    private static final int SERVER_ERROR = 500;

    /** Status codes about the client's identity, rate or quantity instead of the data. */
    private static final Set<Integer> OF_THE_CLIENT = Set.of(401, 403, 408, 421, 429);

    private final int ordinal;
    private final Supplier<Parser> newParser;
    private final SourceEnvironment surroundings;
    private final InputRejects rejects;
    private PortAccess access;
    private SeriesTracker series;
    private Function<Parser, Written> writtenOf;

    private final Pool<Parser> parsers = new Pool<>(POOLED_MAX);
    private final Pool<RingPointSink> sinks = new Pool<>(POOLED_MAX);

    /**
     * Creates an inlet with empty pools.
     *
     * @param name name of the input in the configuration
     * @param ordinal position of the input among the configured inputs, by name; stored in the records
     * @param newParser creates opened parsers of the input's protocol
     * @param surroundings shared by all inputs of the node
     */
    public InputContext(String name, int ordinal, Supplier<Parser> newParser, SourceEnvironment surroundings) {
        this.ordinal = ordinal;
        this.newParser = newParser;
        this.surroundings = surroundings;
        rejects = surroundings.deadLetters().rejects(name);
        access = new PortAccess(AccessControl.open(surroundings.clock()), name, List.of());
    }

    /** Sets the access control; without a call, every client may send. Call before the first request. */
    public InputContext guardedBy(PortAccess newAccess) {
        access = newAccess;
        return this;
    }

    /** Sets the limits for new series; without a call, all series are accepted. Call before the first request. */
    public InputContext limitedBy(SeriesTracker newSeries) {
        series = newSeries;
        return this;
    }

    /**
     * Sets the protocol of the input: data recognised as another protocol is rejected with the name of that protocol.
     * Call before the first request.
     *
     * @param newProtocol protocol of all data of the input
     */
    public InputContext speaking(WireProtocol newProtocol) {
        rejects.speaks(newProtocol);
        return this;
    }

    /**
     * Sets the counts of a parser that tells kinds of elements apart; without a call, every data point counts as a
     * sample. Call before the first request.
     *
     * @param newWrittenOf returns the written elements of a parser's request
     */
    public InputContext countedBy(Function<Parser, Written> newWrittenOf) {
        writtenOf = newWrittenOf;
        return this;
    }

    /**
     * Returns the written elements of a request.
     *
     * @param parser parser of the completely parsed request
     * @param taken number of its data points
     */
    Written written(Parser parser, long taken) {
        return writtenOf == null ? new Written(taken, 0, 0) : writtenOf.apply(parser);
    }

    /** Protocol of the input; null for a plugin's protocol. */
    WireProtocol protocol() {
        return rejects.protocol();
    }

    InputRejects rejects() {
        return rejects;
    }

    /** Access control of the input. */
    public PortAccess access() {
        return access;
    }

    /**
     * Counts an HTTP request answered with 4xx or 503 before its body was read.
     *
     * @param reason message of the answer
     * @param target method and path
     */
    void refused(int status, String reason, String target, InetSocketAddress client) {
        counters().increment(QueueCounter.SOURCE_REQUESTS);
        if (status >= SERVER_ERROR) {
            counters().increment(QueueCounter.SOURCE_REQUESTS_REFUSED);
            return;
        }
        counters().increment(QueueCounter.SOURCE_REQUESTS_BAD);
        if (!OF_THE_CLIENT.contains(status)) {
            rejects.record(reason, target, client);
        }
    }

    /** Counts an HTTP request answered with 4xx, and reports the request if it carried data. */
    void bad(HttpExchange exchange, String reason) {
        counters().increment(QueueCounter.SOURCE_REQUESTS_BAD);
        if (exchange.method().equals("POST") || exchange.method().equals("PUT")) {
            rejects.record(reason, exchange.method() + " " + exchange.path(), exchange.client());
        }
    }

    /** Reports that the answer to a request could not be built, and ends the connection of the request. */
    void unanswered(HttpExchange exchange, RuntimeException failure) {
        surroundings
                .errors()
                .onError(new ChimeraException(
                        Category.ERROR,
                        "Cannot build the answer to " + exchange.method() + " " + exchange.path() + " of "
                                + exchange.client() + "; closing the connection: " + failure,
                        failure));
        try {
            exchange.respond(500, Map.of("Connection", "close"), new byte[0]);
        } catch (IllegalStateException e) {
            // the failure followed the answer
        }
    }

    int ordinal() {
        return ordinal;
    }

    BatchRing ring() {
        return surroundings.ring();
    }

    Counters<QueueCounter> counters() {
        return surroundings.counters();
    }

    Clock clock() {
        return surroundings.clock();
    }

    /** Whether the ring has room for a slot; only a snapshot. */
    boolean hasRoom() {
        return ring().used() < ring().capacity();
    }

    Parser takeParser() {
        Parser parser = parsers.take();
        return parser == null ? newParser.get() : parser;
    }

    void giveBack(Parser parser) {
        parser.reset();
        if (!parsers.offer(parser)) {
            parser.close();
        }
    }

    RingPointSink takeSink() {
        RingPointSink sink = sinks.take();
        return sink == null
                ? new RingPointSink(ring(), ordinal, rejects, surroundings.deadLetters(), counters(), series)
                : sink;
    }

    void giveBack(RingPointSink sink) {
        sinks.offer(sink);
    }
}
