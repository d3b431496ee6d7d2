package io.chimera.common.channel.netty;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.spi.Chunk;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.Listeners.Limits;
import io.chimera.common.channel.Peer;
import io.chimera.common.channel.StreamHandler;
import io.chimera.common.channel.netty.tcp.TcpPort;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.wire.BodyLayout;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Lines over real TCP sockets. */
@ExtendWith(NoLeaks.class)
final class TcpListenerIT {
    private static final Limits LIMITS = new Limits(1, 1, 1, 100, 60_000);
    private static final ChannelThreads THREADS = new ChannelThreads("test");

    private final Counters<ChannelCounter> counters = new Counters<>(ChannelCounter.class);
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final NettyListeners listeners = new NettyListeners(THREADS, counters, failures::add);
    private final Lines lines = new Lines();

    @AfterAll
    static void closeThreads() {
        THREADS.close();
    }

    @AfterEach
    void closeListeners() {
        listeners.close();
    }

    /** Consumes complete lines like a parser, and can refuse for lack of room. */
    private static final class Lines implements StreamHandler {
        final List<String> heard = new CopyOnWriteArrayList<>();
        final AtomicInteger refusals = new AtomicInteger();
        final AtomicInteger completions = new AtomicInteger();
        final AtomicLong bytes = new AtomicLong();
        volatile boolean refusing;
        volatile boolean keeping = true;
        volatile Peer peer;

        @Override
        public void onOpen(Peer newPeer) {
            peer = newPeer;
            heard.add("open");
        }

        @Override
        public boolean onBytes(Chunk chunk) {
            for (int i = chunk.offset(); i < chunk.limit(); i++) {
                if (refusing) {
                    refusals.incrementAndGet();
                    return false;
                }
                if (chunk.bytes()[i] == '\n') {
                    take(chunk, i, 1);
                }
            }
            if (chunk.last() && !chunk.isEmpty()) {
                take(chunk, chunk.limit(), 0);
            }
            return true;
        }

        private void take(Chunk chunk, int end, int newlines) {
            int length = end - chunk.offset();
            bytes.addAndGet(length + newlines);
            if (keeping) {
                heard.add(chunk.line() + ":" + new String(chunk.bytes(), chunk.offset(), length, UTF_8));
            }
            chunk.consumedTo(end + newlines, newlines);
        }

        @Override
        public void onReadComplete() {
            completions.incrementAndGet();
        }

        @Override
        public void onClose() {
            heard.add("closed");
        }
    }

    private Endpoint listen() {
        return listeners.tcp(HttpListenerIT.ANY, () -> lines, LIMITS);
    }

    @Test
    void handsOverLinesHoweverTheyAreCut() throws Exception {
        try (RawClient client = new RawClient(listen())) {
            client.send("one\ntwo\nthr");
            await().until(() -> lines.heard.size() == 3);
            client.send("ee\n");
            await().until(() -> lines.heard.size() == 4);
        }
        await().untilAsserted(
                        () -> assertThat(lines.heard).containsExactly("open", "1:one", "2:two", "3:three", "closed"));
        assertThat(lines.completions.get()).isGreaterThanOrEqualTo(2);
        assertThat(failures).isEmpty();
    }

    @Test
    void takesAnUnfinishedLineWhenTheOtherEndSendsNoMore() throws Exception {
        try (RawClient client = new RawClient(listen())) {
            client.send("one\nunfinished");
            client.endOutput();
            assertThat(client.isAtEnd()).isTrue();
            await().untilAsserted(
                            () -> assertThat(lines.heard).containsExactly("open", "1:one", "2:unfinished", "closed"));
        }
    }

    @Test
    void handsAnUnfinishedLastLineOverAgainWhileThereIsNoRoom() throws Exception {
        try (RawClient client = new RawClient(listen())) {
            client.send("one\n");
            await().until(() -> lines.heard.size() == 2);
            lines.refusing = true;
            client.send("unfinished");
            client.endOutput();
            await().until(() -> lines.refusals.get() > 3);
            lines.refusing = false;
            await().untilAsserted(
                            () -> assertThat(lines.heard).containsExactly("open", "1:one", "2:unfinished", "closed"));
        }
        assertThat(counters.get(ChannelCounter.TCP_CHUNKS_DEFERRED)).isGreaterThan(3);
    }

    @Test
    void dropsAnUnfinishedLineOfAResetConnection() throws Exception {
        RawClient client = new RawClient(listen());
        client.send("one\nunfinish");
        await().until(() -> lines.heard.size() == 2);
        client.reset();
        await().untilAsserted(() -> assertThat(lines.heard).containsExactly("open", "1:one", "closed"));
        assertThat(failures).isEmpty();
    }

    @Test
    void closesAConnectionWhoseLineDoesNotEnd() throws Exception {
        byte[] longest = "a".repeat(BodyLayout.TEXT_LENGTH_MAX - 1).getBytes(UTF_8);
        try (RawClient client = new RawClient(listen())) {
            client.send(longest);
            client.send("\n");
            await().until(() -> lines.bytes.get() == BodyLayout.TEXT_LENGTH_MAX);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1_000; i++) {
                            client.send(longest);
                        }
                    })
                    .isInstanceOf(IOException.class);
            assertThat(client.isAtEnd()).isTrue();
        }
        assertThat(counters.get(ChannelCounter.TCP_LINES_TOO_LONG)).isOne();
        await().until(() -> lines.heard.contains("closed"));
        assertThat(counters.get(ChannelCounter.TCP_BYTES_RECEIVED)).isLessThan(10L * BodyLayout.TEXT_LENGTH_MAX);
    }

    @Test
    void stopsTheSenderWhileThereIsNoRoomAndLosesNothing() throws Exception {
        byte[] block = "0123456789abcde\n".repeat(4096).getBytes(UTF_8);
        int blocks = 200;
        lines.refusing = true;
        lines.keeping = false;
        AtomicLong sent = new AtomicLong();
        try (RawClient client = new RawClient(listen())) {
            Thread sender = new Thread(() -> {
                try {
                    for (int i = 0; i < blocks; i++) {
                        client.send(block);
                        sent.addAndGet(block.length);
                    }
                } catch (IOException e) {
                    failures.add(e);
                }
            });
            sender.start();
            await().until(() -> lines.refusals.get() > 100);
            long sentWhileRefused = sent.get();
            assertThat(counters.get(ChannelCounter.TCP_BYTES_RECEIVED))
                    .as("what the node took before it stopped reading")
                    .isLessThanOrEqualTo(2L * TcpPort.READ_BYTES_MAX);
            assertThat(sentWhileRefused).isLessThan((long) blocks * block.length);

            lines.refusing = false;
            await().until(() -> lines.bytes.get() == (long) blocks * block.length);
            sender.join();
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void closesHalfOpenConnections() throws Exception {
        Endpoint address = listeners.tcp(HttpListenerIT.ANY, () -> lines, new Limits(1, 1, 1, 100, 200));
        try (RawClient client = new RawClient(address)) {
            client.send("one\nunfinish");
            assertThat(client.isAtEnd()).isTrue();
        }
        await().untilAsserted(() -> assertThat(lines.heard).containsExactly("open", "1:one", "closed"));
        assertThat(counters.get(ChannelCounter.TCP_CONNECTIONS_IDLE)).isOne();
    }

    @Test
    void refusesConnectionsBeyondTheirNumber() throws Exception {
        Endpoint address = listeners.tcp(HttpListenerIT.ANY, () -> lines, new Limits(1, 1, 1, 1, 60_000));
        try (RawClient first = new RawClient(address)) {
            first.send("one\n");
            await().until(() -> lines.heard.size() == 2);
            try (RawClient second = new RawClient(address)) {
                assertThat(second.read(6)).asString(UTF_8).isEqualTo("ERROR ");
            }
        }
        await().until(() -> lines.heard.contains("closed"));
        assertThat(lines.heard).containsOnlyOnce("open");
        assertThat(counters.get(ChannelCounter.TCP_CONNECTIONS_REFUSED)).isOne();
    }

    @Test
    void repliesAndDropsRepliesThatAreNotRead() throws Exception {
        byte[] reply = new byte[16 << 10];
        try (RawClient client = new RawClient(listen(), 8 << 10)) {
            await().until(() -> lines.peer != null);
            lines.peer.reply("hello".getBytes(UTF_8));
            assertThat(client.read(5)).asString(UTF_8).isEqualTo("hello");
            await().until(() -> {
                for (int i = 0; i < 100; i++) {
                    lines.peer.reply(reply);
                }
                return counters.get(ChannelCounter.TCP_REPLIES_DROPPED) > 10;
            });
        }
        listeners.close();
        lines.peer.reply(reply);
    }

    @Test
    void sendsTheRepliesToAClientThatEndedItsOutput() throws Exception {
        Endpoint address = listeners.tcp(
                HttpListenerIT.ANY,
                () -> new StreamHandler() {
                    private Peer peer;

                    @Override
                    public void onOpen(Peer newPeer) {
                        peer = newPeer;
                    }

                    @Override
                    public boolean onBytes(Chunk chunk) {
                        if (chunk.last()) {
                            peer.reply("bad line".getBytes(UTF_8));
                            chunk.consumedTo(chunk.limit(), 0);
                        }
                        return true;
                    }
                },
                LIMITS);
        try (RawClient client = new RawClient(address)) {
            client.send("nonsense");
            client.endOutput();
            assertThat(client.read(8)).asString(UTF_8).isEqualTo("bad line");
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    @Test
    void closesTheConnectionOfAHandlerThatFails() throws Exception {
        Endpoint address = listeners.tcp(
                HttpListenerIT.ANY,
                () -> chunk -> {
                    throw new IllegalStateException("on purpose");
                },
                LIMITS);
        try (RawClient client = new RawClient(address)) {
            client.send("x");
            assertThat(client.isAtEnd()).isTrue();
        }
        assertThat(failures).hasSize(1);
        assertThat(counters.get(ChannelCounter.TCP_HANDLERS_FAILED)).isOne();
    }
}
