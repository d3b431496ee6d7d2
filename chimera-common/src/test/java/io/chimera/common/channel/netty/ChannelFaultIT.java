package io.chimera.common.channel.netty;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.channel.CreditWindow;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.RecordingHandler;
import io.chimera.common.channel.Transport;
import io.chimera.common.channel.netty.node.ChannelFrame;
import io.chimera.common.channel.netty.node.PeerWatch;
import io.chimera.common.channel.netty.node.WireFrames;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Channel over real sockets with faulty, foreign, silent or slow peers. */
@ExtendWith(NoLeaks.class)
final class ChannelFaultIT {
    private static final Endpoint ANY = HttpListenerIT.ANY;
    private static final ChannelThreads THREADS = new ChannelThreads("test");

    private final Counters<ChannelCounter> counters = new Counters<>(ChannelCounter.class);
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final NettyTransport transport =
            new NettyTransport(THREADS, counters, failures::add, new PeerWatch.Timing(50, 500, 300));
    private final RecordingHandler handler = new RecordingHandler();

    @AfterAll
    static void closeThreads() {
        THREADS.close();
    }

    @AfterEach
    void closeTransport() {
        transport.close();
        assertThat(handler.overlapped()).isFalse();
    }

    /** Connects a client that has sent START to a listener with the recording handler. */
    private RawClient started() throws IOException {
        RawClient client = new RawClient(transport.listen(ANY, () -> handler));
        client.send(WireFrames.start(ChannelFrame.VERSION, CreditWindow.BYTES));
        await().until(() -> handler.connection() != null);
        return client;
    }

    private void closesUpon(byte[] bytes, String reason) throws IOException {
        try (RawClient client = started()) {
            client.send(WireFrames.data(new byte[] {'o', 'k'}));
            client.send(bytes);
            client.readToEnd();
        }
        await().until(() -> handler.reason() != null);
        assertThat(handler.heard).containsExactly("open", "ok", "closed");
        assertThat(handler.reason())
                .matches("Closed the connection with 127\\.0\\.0\\.1:\\d+: .*")
                .contains(reason);
        assertThat(counters.get(ChannelCounter.FRAMES_REJECTED)).isOne();
        assertThat(counters.get(ChannelCounter.CONNECTIONS_CLOSED)).isOne();
    }

    @Test
    void closesUponAFrameThatIsTooLong() throws IOException {
        closesUpon(
                WireFrames.headerOnly(Transport.FRAME_LENGTH_MAX + 1),
                "a frame of 1048577 bytes is outside the range 1 to 1048576");
    }

    @Test
    void closesUponAFrameWithoutPayload() throws IOException {
        closesUpon(WireFrames.headerOnly(0), "a frame of 0 bytes is outside the range 1 to 1048576");
    }

    @Test
    void closesUponANegativeLength() throws IOException {
        closesUpon(WireFrames.headerOnly(-5), "0xfffffffb is not a frame header of Chimera's channel protocol");
    }

    @Test
    void closesUponAWrongChecksum() throws IOException {
        byte[] frame = WireFrames.data(new byte[100]);
        frame[50] ^= 1;
        closesUpon(frame, "checksum mismatch in a frame of 100 bytes");
    }

    @Test
    void closesUponCreditBeyondTheWindow() throws IOException {
        closesUpon(WireFrames.credit(1), "it granted 1 bytes of credit, which exceeds the window of 4194304");
    }

    @Test
    void closesUponASecondStart() throws IOException {
        closesUpon(WireFrames.start(ChannelFrame.VERSION, 1), "it sent START twice");
    }

    @Test
    void closesUponFramesBeyondTheCredit() throws IOException {
        handler.hoardCredit();
        try (RawClient client = started()) {
            byte[] frame = WireFrames.data(new byte[Transport.FRAME_LENGTH_MAX]);
            for (int i = 0; i < 4; i++) {
                client.send(frame);
            }
            await().until(() -> handler.frames() == 4);
            client.send(WireFrames.data(new byte[1]));
            await().until(() -> handler.reason() != null);
        }
        assertThat(handler.reason()).contains("it exceeded its credit");
    }

    @Test
    void tellsAPeerOfAnotherVersionWhatToDo() throws IOException {
        try (RawClient client = new RawClient(transport.listen(ANY, () -> handler))) {
            client.send(WireFrames.start(ChannelFrame.VERSION + 1, CreditWindow.BYTES));
            client.readToEnd();
        }
        assertThat(handler.heard).isEmpty();
        assertThat(counters.get(ChannelCounter.FRAMES_REJECTED)).isOne();
        assertThat(counters.get(ChannelCounter.CONNECTIONS_OPENED)).isZero();
    }

    @Test
    void closesUponHttp() throws IOException {
        try (RawClient client = new RawClient(transport.listen(ANY, () -> handler))) {
            client.send("GET / HTTP/1.1\r\n\r\n");
            client.readToEnd();
        }
        assertThat(handler.heard).isEmpty();
    }

    @Test
    void tellsTheConnectorThatThisIsNoNode() throws IOException {
        NettyListeners listeners = new NettyListeners(THREADS, counters, failures::add);
        Endpoint address = listeners.http(ANY, HttpListenerIT::echo, HttpListenerIT.LIMITS);
        transport.connect(address, handler);
        await().until(() -> handler.reason() != null);
        listeners.close();

        assertThat(handler.heard).containsExactly("closed");
        assertThat(handler.reason())
                .isEqualTo("Closed the connection with " + address
                        + ": 0x50545448 is not a frame header of Chimera's channel"
                        + " protocol. Check that the address belongs to a Chimera node of the same release.");
        assertThat(counters.get(ChannelCounter.CONNECTS_FAILED)).isOne();
    }

    @Test
    void tellsTheConnectorThatNobodyIntroducedItself() throws IOException {
        try (ServerSocket mute = new ServerSocket(0)) {
            Endpoint address = new Endpoint("127.0.0.1", mute.getLocalPort());
            transport.connect(address, handler);
            await().until(() -> handler.reason() != null);
            assertThat(handler.reason())
                    .startsWith(address + " accepted the connection but did not introduce itself as a Chimera node");
        }
    }

    @Test
    void tellsTheConnectorThatAHostIsUnknown() {
        Endpoint address = new Endpoint("nowhere.invalid", 7000);
        transport.connect(address, handler);
        await().until(() -> handler.reason() != null);
        assertThat(handler.reason()).startsWith("Cannot connect to nowhere.invalid:7000: unknown host name.");
    }

    @Test
    void connectsByName() {
        Endpoint bound = transport.listen(ANY, RecordingHandler::new);
        transport.connect(new Endpoint("localhost", bound.port()), handler);
        await().until(() -> handler.connection() != null);
        assertThat(handler.connection().remote()).isEqualTo("localhost:" + bound.port());
    }

    @Test
    void givesUpAPeerThatIsSilent() throws IOException {
        try (RawClient client = started()) {
            client.readToEnd();
            await().until(() -> handler.reason() != null);
            assertThat(handler.reason()).matches("Closed the connection with .*: it sent nothing for 5\\d\\d ms\\..*");
        }
        assertThat(counters.get(ChannelCounter.PEERS_SILENT)).isOne();
    }

    @Test
    void keepsAnIdleConnectionAliveWithPings() throws Exception {
        RecordingHandler near = new RecordingHandler();
        transport.connect(transport.listen(ANY, () -> handler), near);
        await().until(() -> handler.connection() != null);
        // Longer than the silence limit of a connection.
        await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
        assertThat(near.connection().isOpen()).isTrue();
        assertThat(near.heard).containsExactly("open");
    }

    @Test
    void noticesAPeerThatWasKilled() throws IOException {
        RawClient client = started();
        client.reset();
        await().until(() -> handler.reason() != null);
        assertThat(handler.reason()).matches("The connection with .* broke: Connection reset.*");
    }

    @Test
    void stopsTheSenderOfASlowReceiver() {
        RecordingHandler near = new RecordingHandler();
        handler.refuse(true);
        transport.connect(transport.listen(ANY, () -> handler), near);
        await().until(() -> near.connection() != null);
        UnsafeBuffer frame = new UnsafeBuffer(new byte[64 << 10]);
        long sent = 0;
        while (near.connection().offer(frame, 0, frame.capacity())) {
            sent += frame.capacity();
        }
        await().until(() -> handler.refusals() > 20);
        assertThat(sent).isEqualTo(CreditWindow.BYTES);
        for (int i = 0; i < 100_000; i++) {
            assertThat(near.connection().offer(frame, 0, frame.capacity())).isFalse();
        }
        assertThat(directBytesUsed()).as("buffers of the pool").isLessThan(32L << 20);
        assertThat(counters.get(ChannelCounter.OFFERS_REFUSED)).isGreaterThan(100_000);
        assertThat(counters.get(ChannelCounter.FRAMES_DEFERRED)).isGreaterThan(20);

        handler.refuse(false);
        await().until(() -> handler.bytes() == CreditWindow.BYTES);
        await().until(() -> near.connection().offer(frame, 0, frame.capacity()));
    }

    private static long directBytesUsed() {
        return ((ByteBufAllocatorMetricProvider) THREADS.allocator()).metric().usedDirectMemory();
    }

    /** The credit of a frame is checked when the frame is read; while reading pauses, TCP must stop the peer. */
    @Test
    void stopsAPeerThatIgnoresItsCreditWhileTheHandlerHasNoRoom() throws Exception {
        byte[] frame = WireFrames.data(new byte[256 << 10]);
        int frames = 256;
        handler.refuse(true);
        AtomicLong sent = new AtomicLong();
        try (RawClient client = started()) {
            Thread sender = new Thread(() -> {
                try {
                    for (int i = 0; i < frames; i++) {
                        client.send(frame);
                        sent.addAndGet(frame.length);
                    }
                } catch (IOException e) {
                    // The transport was closed during the write, which ends this test.
                }
            });
            sender.start();
            await().until(() -> handler.refusals() > 200);
            assertThat(sent.get()).isPositive().isLessThan((long) frames * frame.length);
            assertThat(directBytesUsed()).as("buffers of the pool").isLessThan(32L << 20);
            transport.close();
            sender.join();
        }
        assertThat(handler.heard).containsExactly("open", "closed");
    }

    @Test
    void closesTheConnectionOfAHandlerThatFails() {
        RecordingHandler near = new RecordingHandler();
        Endpoint address = transport.listen(ANY, () -> new ConnectionHandler() {
            @Override
            public void onOpen(Connection connection) {}

            @Override
            public boolean onFrame(Connection connection, DirectBuffer buffer, int offset, int length) {
                throw new IllegalStateException("on purpose");
            }

            @Override
            public void onClose(String reason) {
                handler.onClose(reason);
            }
        });
        transport.connect(address, near);
        await().until(() -> near.connection() != null);
        near.offer("x");
        await().until(() -> handler.reason() != null && near.reason() != null);
        assertThat(handler.reason()).contains("its handler failed with java.lang.IllegalStateException: on purpose");
        assertThat(failures).hasSize(1);
        assertThat(counters.get(ChannelCounter.HANDLERS_FAILED)).isOne();
    }

    @Test
    void closesTheConnectionOfAHandlerThatGivesBackMoreThanItGot() {
        RecordingHandler near = new RecordingHandler();
        transport.connect(transport.listen(ANY, () -> handler), near);
        await().until(() -> handler.connection() != null);
        handler.connection().consumed(CreditWindow.BYTES);
        await().until(() -> handler.reason() != null);
        assertThat(failures).singleElement().asString().contains("only 0 bytes were received");
    }

    @Test
    void closesThePortOfAForeignServerThatAcceptsAndCloses() throws Exception {
        try (ServerSocket server = new ServerSocket(0)) {
            Endpoint address = new Endpoint("127.0.0.1", server.getLocalPort());
            transport.connect(address, handler);
            try (Socket accepted = server.accept()) {
                assertThat(accepted.isConnected()).isTrue();
            }
            await().until(() -> handler.reason() != null);
            assertThat(handler.heard).containsExactly("closed");
        }
    }
}
