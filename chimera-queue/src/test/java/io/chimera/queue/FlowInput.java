package io.chimera.queue;

import io.chimera.api.model.DataPoint;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.Listeners;
import io.chimera.common.channel.netty.ChannelThreads;
import io.chimera.common.channel.netty.NettyListeners;
import io.chimera.common.config.IpfixConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.ring.Slot;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.flow.ipfix.collector.FlowParsers;
import io.chimera.flow.ipfix.collector.FlowRig;
import io.chimera.queue.source.DatagramSource;
import io.chimera.queue.source.InputContext;
import io.chimera.queue.source.LineStreamSource;
import io.chimera.queue.source.SourceEnvironment;
import io.chimera.queue.source.TelnetAnswers;
import io.chimera.queue.source.reject.DeadLetters;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.LangUtil;

/** Input of type ipfix on real sockets, up to the ring. */
final class FlowInput implements AutoCloseable {
    private static final Endpoint ANY = new Endpoint("127.0.0.1", 0);
    private static final Listeners.Limits LIMITS = new Listeners.Limits(1 << 20, 100, 1 << 20, 10, 60_000);
    private static final int SLOTS = 16;

    final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    final List<Throwable> failures = new ArrayList<>();
    private final ChannelThreads threads = new ChannelThreads("flows");
    private final NettyListeners listeners =
            new NettyListeners(threads, new Counters<>(ChannelCounter.class), failures::add);
    private final BatchRing ring = new BatchRing(SLOTS, BatchLayout.LENGTH_MAX);
    private final List<DataPoint> points = new ArrayList<>();
    final Endpoint udp;
    final Endpoint tcp;

    FlowInput(Path folder) {
        SystemClock clock = new SystemClock();
        DeadLetters letters = new DeadLetters(folder, counters, clock);
        FlowParsers parsers = new FlowParsers(Sections.of(IpfixConfig.class), FlowRig.ALL, counters);
        udp = listeners.udp(
                ANY,
                new DatagramSource(
                        new InputContext(
                                "f",
                                0,
                                parsers::ofDatagrams,
                                new SourceEnvironment(ring, letters, counters, clock, LangUtil::rethrowUnchecked)),
                        1));
        tcp = listeners.tcp(
                ANY,
                new LineStreamSource(
                        new InputContext(
                                "f",
                                0,
                                parsers::ofStream,
                                new SourceEnvironment(ring, letters, counters, clock, LangUtil::rethrowUnchecked)),
                        1,
                        TelnetAnswers.NONE),
                LIMITS);
    }

    /** Returns all points received so far. Used by one thread. */
    List<DataPoint> points() {
        ring.poll(this::take, SLOTS);
        return points;
    }

    private boolean take(Slot slot) {
        if (slot.count() > 0) {
            BodyReader body = new BodyReader().wrap(slot.buffer(), BatchLayout.HEADER_LENGTH, slot.length());
            while (body.nextRecord()) {
                points.add(RecordDecoder.point(body));
            }
        }
        return true;
    }

    /** Sums a field over all points. */
    long sum(String field) {
        return points().stream()
                .mapToLong(point -> (Long) point.fields().get(field))
                .sum();
    }

    /** Number of failures, malformed messages and dropped datagrams. */
    long wrong() {
        long wrong = failures.size();
        for (QueueCounter counter : List.of(
                QueueCounter.IPFIX_BAD_LENGTH,
                QueueCounter.IPFIX_BAD_RECORD,
                QueueCounter.IPFIX_BAD_SET,
                QueueCounter.IPFIX_BAD_TEMPLATE,
                QueueCounter.IPFIX_BAD_VERSION,
                QueueCounter.IPFIX_SETS_UNTOLD,
                QueueCounter.SOURCE_DATAGRAMS_DROPPED)) {
            wrong += counters.get(counter);
        }
        return wrong;
    }

    @Override
    public void close() {
        listeners.close();
        threads.close();
    }
}
