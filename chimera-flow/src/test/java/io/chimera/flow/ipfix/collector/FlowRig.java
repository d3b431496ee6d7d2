package io.chimera.flow.ipfix.collector;

import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.common.config.FlowColumn;
import io.chimera.common.config.FlowConfig;
import io.chimera.common.config.IpfixConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Parser of flow records with counters and a sink. */
public final class FlowRig {
    public static final FlowConfig ALL = Sections.of(
            FlowConfig.class,
            "tags",
            List.of(FlowColumn.SRC, FlowColumn.DST, FlowColumn.PROTOCOL, FlowColumn.EXPORTER),
            "fields",
            List.of(FlowColumn.values()).stream()
                    .filter(column -> column != FlowColumn.SRC
                            && column != FlowColumn.DST
                            && column != FlowColumn.PROTOCOL
                            && column != FlowColumn.EXPORTER)
                    .toList());
    public static final InetSocketAddress SENDER = sender(1, 2055);

    final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    public final PointList sink = new PointList();
    public final Parser parser;
    InetSocketAddress sender = SENDER;

    private FlowRig(IpfixConfig config, boolean isDatagram) {
        FlowParsers parsers = new FlowParsers(config, ALL, counters);
        parser = isDatagram ? parsers.ofDatagrams() : parsers.ofStream();
    }

    public static FlowRig datagrams() {
        return datagrams(Sections.of(IpfixConfig.class));
    }

    public static FlowRig datagrams(IpfixConfig config) {
        return new FlowRig(config, true);
    }

    static FlowRig stream() {
        return new FlowRig(Sections.of(IpfixConfig.class), false);
    }

    /** Address in 192.0.2.0/24. */
    static InetSocketAddress sender(int host, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, (byte) host}), port);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /** Parses a datagram; false when the sink was full. */
    public boolean datagram(byte[] bytes) {
        parser.reset();
        Chunk chunk = new Chunk().restart(1).from(sender).wrap(bytes, 0, bytes.length, true);
        boolean isWhole = parser.parse(chunk, sink);
        if (isWhole != chunk.isEmpty()) {
            throw new AssertionError("A datagram is taken whole, or there is no room.");
        }
        return isWhole;
    }

    public long count(QueueCounter counter) {
        return counters.get(counter);
    }

    public List<PointList.Point> points() {
        return sink.points;
    }
}
