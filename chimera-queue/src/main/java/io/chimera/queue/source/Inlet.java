package io.chimera.queue.source;

import io.chimera.api.spi.Parser;
import io.chimera.common.access.AccessControl;
import io.chimera.common.access.PortAccess;
import io.chimera.common.agent.Clock;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.WireProtocol;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.wire.RecordEncoder;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What the sources of one input share: its parsers and sinks, which go from request to request, and the ring and
 * counters behind them. Any thread.
 */
public final class Inlet {
    /**
     * More connections and requests than this at one time make parsers that are thrown away afterwards. A sink is held
     * for no longer than a thread reads from one connection, so there are as many sinks as listener threads have read
     * at one time; each keeps what it knows, up to 25 MiB (see {@link RecordEncoder}).
     */
    private static final int POOLED_MAX = 64;

    private static final int SERVER_ERROR = 500;

    /** Answers about who sends, how fast and how much, which are not about the data. */
    private static final Set<Integer> OF_THE_CLIENT = Set.of(401, 403, 408, 421, 429);

    private final int ordinal;
    private final BatchRing ring;
    private final Supplier<Parser> newParser;
    private final DeadLetters deadLetters;
    private final Counters<QueueCounter> counters;
    private final Clock clock;
    private final InputRejects rejects;
    private PortAccess access;
    private SeriesTracker series;

    private final Pool<Parser> parsers = new Pool<>(POOLED_MAX);
    private final Pool<RingPointSink> sinks = new Pool<>(POOLED_MAX);

    /**
     * An inlet with nothing in its pools.
     *
     * @param name the input's name in the configuration
     * @param ordinal the input's place, by name, among the configured inputs; goes into the records
     * @param ring where records go
     * @param newParser makes opened parsers of the input's protocol
     * @param deadLetters where bad points go
     * @param counters the node's counters
     * @param clock the node's clock
     */
    public Inlet(
            String name,
            int ordinal,
            BatchRing ring,
            Supplier<Parser> newParser,
            DeadLetters deadLetters,
            Counters<QueueCounter> counters,
            Clock clock) {
        this.ordinal = ordinal;
        this.ring = ring;
        this.newParser = newParser;
        this.deadLetters = deadLetters;
        this.counters = counters;
        this.clock = clock;
        rejects = deadLetters.rejects(name);
        access = new PortAccess(AccessControl.open(clock), name, List.of());
    }

    /** Sets who may send; everybody otherwise. Before the first request. */
    public Inlet guardedBy(PortAccess newAccess) {
        access = newAccess;
        return this;
    }

    /** Sets what decides about new series; all are taken otherwise. Before the first request. */
    public Inlet limitedBy(SeriesTracker newSeries) {
        series = newSeries;
        return this;
    }

    /**
     * Sets the protocol of the input: what is clearly none of its data is refused by name. Before the first request.
     *
     * @param newProtocol of all that the input takes
     */
    public Inlet speaking(WireProtocol newProtocol) {
        rejects.speaks(newProtocol);
        return this;
    }

    /** The protocol of the input; null when it is a plugin's. */
    WireProtocol protocol() {
        return rejects.protocol();
    }

    /** Rejected data of the input. */
    InputRejects rejects() {
        return rejects;
    }

    /** Who may send. */
    public PortAccess access() {
        return access;
    }

    /**
     * Counts an HTTP request that was answered 4xx or 503 before its body was read.
     *
     * @param reason message of the answer
     * @param target method and path
     */
    void refused(int status, String reason, String target, InetSocketAddress client) {
        counters.increment(QueueCounter.SOURCE_REQUESTS);
        if (status >= SERVER_ERROR) {
            counters.increment(QueueCounter.SOURCE_REQUESTS_REFUSED);
            return;
        }
        counters.increment(QueueCounter.SOURCE_REQUESTS_BAD);
        if (!OF_THE_CLIENT.contains(status)) {
            rejects.record(reason, target, client);
        }
    }

    /** Counts an HTTP request that is answered 4xx, and reports it where it brought data. */
    void bad(HttpExchange exchange, String reason) {
        counters.increment(QueueCounter.SOURCE_REQUESTS_BAD);
        if (exchange.method().equals("POST") || exchange.method().equals("PUT")) {
            rejects.record(reason, exchange.method() + " " + exchange.path(), exchange.client());
        }
    }

    int ordinal() {
        return ordinal;
    }

    BatchRing ring() {
        return ring;
    }

    Counters<QueueCounter> counters() {
        return counters;
    }

    Clock clock() {
        return clock;
    }

    /** Whether the ring has room for a slot; a moment later it may have none. */
    boolean hasRoom() {
        return ring.used() < ring.capacity();
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
        return sink == null ? new RingPointSink(ring, ordinal, rejects, deadLetters, counters, series) : sink;
    }

    void giveBack(RingPointSink sink) {
        sinks.offer(sink);
    }
}
