package io.chimera.flow.ipfix.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.kit.KitCount;
import io.chimera.api.spi.Chunk;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.metrics.AllocatedBytes;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.flow.ipfix.collector.FlowRig;
import io.chimera.flow.ipfix.collector.PointList;
import io.chimera.flow.table.FlowRecord;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class IpfixAllocationTest {
    private static final int FLOWS = 500;

    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    private final ManualClock clock = new ManualClock();
    private final List<Flows> flows;

    IpfixAllocationTest() {
        Random random = new Random(11);
        flows = Stream.generate(() -> Flows.random(random)).limit(FLOWS).toList();
    }

    private IpfixExporter exporter(ExportChannel channel) {
        return new IpfixExporter(ExportSettings.of("ipfix:udp://127.0.0.1:4739"), channel, counters, clock);
    }

    @Test
    void sendingAllocatesNothing() {
        IpfixExporter exporter = exporter(new Nowhere());
        FlowRecord[] records = flows.stream().map(Flows::record).toArray(FlowRecord[]::new);

        assertThat(AllocatedBytes.of(() -> {
                    for (FlowRecord record : records) {
                        if (!exporter.onFlow(record)) {
                            throw new AssertionError("There is room.");
                        }
                    }
                    clock.advanceMs(600); // sends partly filled messages too
                    exporter.doWork();
                    exporter.doWork();
                }))
                .isZero();
        assertThat(counters.get(QueueCounter.IPFIX_EXPORT_RECORDS)).isPositive();
    }

    private void export(IpfixExporter exporter) {
        flows.forEach(flow -> exporter.onFlow(flow.record()));
        exporter.doWork();
    }

    @Test
    void takingAllocatesNothingOnceTemplatesAreLearned() {
        FakeCollector collector = new FakeCollector();
        IpfixExporter exporter = exporter(collector);
        FlowRig rig = FlowRig.datagrams();
        export(exporter);
        collector.messages.forEach(rig::datagram); // learns the templates
        collector.messages.clear();
        export(exporter);
        byte[][] messages = collector.messages.toArray(byte[][]::new);
        Chunk chunk = new Chunk();
        KitCount points = new KitCount(PointList.ARRIVAL_NS);

        assertThat(AllocatedBytes.of(() -> {
                    for (byte[] message : messages) {
                        rig.parser.parse(
                                chunk.restart(1).from(FlowRig.SENDER).wrap(message, 0, message.length, true), points);
                    }
                }))
                .isZero();
        assertThat(points.points()).isPositive();
        assertThat(points.rejected()).isZero();
    }

    /** Accepts and discards messages. */
    private static final class Nowhere implements ExportChannel {
        @Override
        public int proceed(long nowNs) {
            return 0;
        }

        @Override
        public int session() {
            return 1;
        }

        @Override
        public boolean send(ByteBuffer message, int records, long nowNs) {
            message.position(message.limit());
            return true;
        }

        @Override
        public boolean isFlushed() {
            return true;
        }

        @Override
        public void close() {}
    }
}
