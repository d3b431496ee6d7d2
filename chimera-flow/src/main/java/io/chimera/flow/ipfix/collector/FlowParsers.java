package io.chimera.flow.ipfix.collector;

import io.chimera.api.spi.Parser;
import io.chimera.common.config.FlowConfig;
import io.chimera.common.config.IpfixConfig;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.flow.table.FlowPoint;

/** Creates the parsers of an input of type ipfix. Thread-safe. */
public final class FlowParsers {
    private final IpfixConfig config;
    private final FlowConfig flow;
    private final Counters<QueueCounter> counters;
    private final TemplateRoom room;

    /**
     * Creates the factory with the shared template budget.
     *
     * @param config how records are decoded
     * @param flow how flows become points
     * @param counters counters of the node
     */
    public FlowParsers(IpfixConfig config, FlowConfig flow, Counters<QueueCounter> counters) {
        this.config = config;
        this.flow = flow;
        this.counters = counters;
        room = new TemplateRoom(config.templatesMax());
    }

    /**
     * Creates a parser for all datagrams of a port: IPFIX, NetFlow 5 and 9. Known exporters live as long as the parser.
     */
    public Parser ofDatagrams() {
        return new FlowMessages(config, true, room, new FlowPoint(flow), counters);
    }

    /**
     * Creates a parser for one connection at a time: IPFIX only. Known exporters and templates end with the connection.
     */
    public Parser ofStream() {
        return new FlowMessages(config, false, room, new FlowPoint(flow), counters);
    }
}
