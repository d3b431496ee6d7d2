package io.chimera.node.flows;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.Clock;
import io.chimera.flow.ipfix.exporter.ExportSettings;
import io.chimera.flow.table.FlowRecord;
import io.chimera.flow.table.FlowSink;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class ExportedFlowsTest {
    private static final int QUEUE_BYTES = 64 << 10;

    /** More records than all buffers of the operating system hold. */
    private static final int RECORDS_MAX = 1_000_000;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[FlowRecord.LENGTH]);
    private final FlowRecord record = new FlowRecord().wrap(buffer, 0);
    private long handedOn;
    private final FlowSink next = flow -> {
        handedOn++;
        return true;
    };

    /** Stops the clock, so that a wait has no time limit. */
    private boolean isStill;

    /** Advances by ten milliseconds per read: ten seconds are a thousand reads. */
    private final Clock ticking = new Clock() {
        private long ns;

        @Override
        public long nanoTime() {
            ns += isStill ? 0 : 10_000_000;
            return ns;
        }

        @Override
        public long epochNs() {
            return 1_700_000_000_000_000_000L + ns;
        }
    };

    ExportedFlowsTest() {
        buffer.putByte(FlowRecord.IP_VERSION, (byte) 4);
        buffer.putByte(FlowRecord.PROTOCOL, (byte) 6);
        buffer.putLong(FlowRecord.FORWARD_PACKETS, 1);
        buffer.putLong(FlowRecord.FORWARD_BYTES, 40);
    }

    private ExportedFlows to(ServerSocket collector, Duration patience) {
        ExportSettings usual = ExportSettings.of("ipfix:tcp://127.0.0.1:" + collector.getLocalPort());
        ExportSettings settings = new ExportSettings(
                usual.transport(),
                usual.collector(),
                usual.domain(),
                usual.messageBytesMax(),
                usual.time(),
                usual.templatesEvery(),
                usual.templatesEveryMessages(),
                usual.messagesPerSecond(),
                usual.samplingInterval(),
                QUEUE_BYTES);
        return new ExportedFlows(settings, patience, ticking, next);
    }

    private static ServerSocket collector() throws IOException {
        ServerSocket collector = new ServerSocket();
        collector.setReceiveBufferSize(4096);
        collector.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        return collector;
    }

    /** Passes records until the first drop. */
    private long fill(ExportedFlows exported) {
        long records = 0;
        while (exported.dropped() == 0 && records < RECORDS_MAX) {
            exported.onFlow(record);
            records++;
        }
        assertThat(exported.dropped()).isEqualTo(1);
        return records;
    }

    @Test
    void aCollectorThatNeverReadsIsWaitedForOnceAndThenRecordsAreDroppedAndCounted() throws IOException {
        try (ServerSocket collector = collector()) {
            ExportedFlows exported = to(collector, ExportedFlows.PATIENCE);
            long before = ticking.nanoTime();
            long records = fill(exported);
            assertThat(ticking.nanoTime() - before).isGreaterThanOrEqualTo(ExportedFlows.PATIENCE.toNanos());

            long waited = ticking.nanoTime();
            for (int i = 0; i < 100; i++) {
                exported.onFlow(record);
            }
            assertThat(ticking.nanoTime() - waited).isLessThan(ExportedFlows.PATIENCE.toNanos());
            assertThat(exported.dropped()).isEqualTo(101);
            assertThat(handedOn).isEqualTo(records + 100);

            exported.close();
            assertThat(exported.dropped()).isGreaterThan(101 + QUEUE_BYTES / 2 / FlowRecord.LENGTH);
            assertThat(exported.unsure()).isPositive();
        }
    }

    @Test
    void aCollectorThatReadsAgainGetsRecordsAgain() throws Exception {
        try (ServerSocket collector = collector()) {
            ExportedFlows exported = to(collector, ExportedFlows.PATIENCE);
            fill(exported);
            Thread reader = new Thread(() -> {
                try (Socket socket = collector.accept()) {
                    byte[] bytes = new byte[1 << 16];
                    while (socket.getInputStream().read(bytes) >= 0) {
                        // discards all input
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            reader.start();
            isStill = true;
            long dropped = exported.dropped();
            while (exported.dropped() == dropped) { // until a record is accepted at once again
                dropped = exported.dropped();
                exported.onFlow(record);
            }
            exported.close();
            reader.join();
            assertThat(exported.unsure()).isZero();
        }
    }

    @Test
    void whoDoesNotWaitDropsAtOnce() throws IOException {
        try (ServerSocket collector = collector()) {
            ExportedFlows exported = to(collector, Duration.ZERO);
            fill(exported);
            exported.close();
        }
    }
}
