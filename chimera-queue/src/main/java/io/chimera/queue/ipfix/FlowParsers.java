package io.chimera.queue.ipfix;

import io.chimera.api.spi.Parser;
import io.chimera.common.config.FlowConfig;
import io.chimera.common.config.IpfixConfig;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.flow.FlowPoint;

/** Makes the parsers of an input of type ipfix. Any thread. */
public final class FlowParsers {
    private final IpfixConfig config;
    private final FlowConfig flow;
    private final Counters<QueueCounter> counters;
    private final TemplateRoom room;

    /**
     * Makers of parsers.
     *
     * @param config how records are read
     * @param flow how flows become points
     * @param counters the node's
     */
    public FlowParsers(IpfixConfig config, FlowConfig flow, Counters<QueueCounter> counters) {
        this.config = config;
        this.flow = flow;
        this.counters = counters;
        room = new TemplateRoom(config.templatesMax());
    }

    /** A parser of all datagrams of a port: IPFIX, NetFlow 5 and 9. It knows exporters for as long as it lives. */
    public Parser ofDatagrams() {
        return new FlowMessages(config, true, room, new FlowPoint(flow), counters);
    }

    /** A parser of one connection at a time: IPFIX. What it knows ends with the connection. */
    public Parser ofStream() {
        return new FlowMessages(config, false, room, new FlowPoint(flow), counters);
    }
}
