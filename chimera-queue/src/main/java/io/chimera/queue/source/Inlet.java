package io.chimera.queue.source;

import io.chimera.api.spi.Parser;
import io.chimera.common.access.AccessControl;
import io.chimera.common.access.PortAccess;
import io.chimera.common.agent.Clock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.wire.RecordEncoder;
import java.util.List;
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

    private final String name;
    private final int ordinal;
    private final BatchRing ring;
    private final Supplier<Parser> newParser;
    private final DeadLetters deadLetters;
    private final Counters<QueueCounter> counters;
    private final Clock clock;
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
        this.name = name;
        this.ordinal = ordinal;
        this.ring = ring;
        this.newParser = newParser;
        this.deadLetters = deadLetters;
        this.counters = counters;
        this.clock = clock;
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

    /** Who may send. */
    public PortAccess access() {
        return access;
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
        return sink == null ? new RingPointSink(ring, ordinal, name, deadLetters, counters, series) : sink;
    }

    void giveBack(RingPointSink sink) {
        sinks.offer(sink);
    }
}
