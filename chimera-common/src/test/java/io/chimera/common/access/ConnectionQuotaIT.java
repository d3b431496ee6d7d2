package io.chimera.common.access;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.spi.Chunk;
import io.chimera.common.access.HttpRoute.Surface;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.agent.Waits;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.channel.HttpRefusal;
import io.chimera.common.channel.Listeners.Limits;
import io.chimera.common.channel.Peer;
import io.chimera.common.channel.StreamHandler;
import io.chimera.common.channel.netty.ChannelThreads;
import io.chimera.common.channel.netty.NettyListeners;
import io.chimera.common.metrics.AccessCounter;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections of a principal count across all ports of a node, and no longer after their end. */
@Tag("it")
final class ConnectionQuotaIT {
    private static final String LIMITED = "ab".repeat(32);
    private static final String OTHER = "cd".repeat(32);

    private final Counters<ChannelCounter> counters = new Counters<>(ChannelCounter.class);
    private final Counters<AccessCounter> access = new Counters<>(AccessCounter.class);
    private ChannelThreads threads;
    private NettyListeners listeners;
    private Endpoint http;
    private Endpoint tcp;

    @TempDir
    Path folder;

    @BeforeEach
    void open() throws IOException {
        Path file = Files.writeString(folder.resolve("tokens.yaml"), """
                tokens:
                  limited: { sha256: %s, roles: [ingest], connections: 2 }
                  other: { sha256: %s, roles: [ingest] }
                """.formatted(
                        AccessControlTest.sha256(LIMITED), AccessControlTest.sha256(OTHER)));
        PortAccess port = new PortAccess(new AccessControl(file, new SystemClock(), access, null), "influx", List.of());
        threads = new ChannelThreads("test");
        listeners = new NettyListeners(threads, counters, error -> {
            throw new AssertionError(error);
        });
        Limits limits = new Limits(1 << 20, 100, 4 << 20, 20, 60_000);
        http = listeners.http(
                new Endpoint("127.0.0.1", 0),
                new HttpHandler() {
                    @Override
                    public HttpRefusal admit(HttpExchange exchange) {
                        Verdict verdict = port.check(Surface.INFLUX, exchange);
                        return verdict.isAccepted()
                                ? null
                                : new HttpRefusal(
                                        verdict.status(),
                                        verdict.headers(),
                                        verdict.message().getBytes(US_ASCII));
                    }

                    @Override
                    public boolean handle(HttpExchange exchange) {
                        exchange.respond(204, Map.of(), new byte[0]);
                        return true;
                    }
                },
                limits);
        tcp = listeners.tcp(new Endpoint("127.0.0.1", 0), port.guard(Lines::new), limits);
    }

    private static final class Lines implements StreamHandler {
        private Peer peer;

        @Override
        public void onOpen(Peer newPeer) {
            peer = newPeer;
        }

        @Override
        public boolean onBytes(Chunk chunk) {
            if (chunk.limit() > chunk.offset()) {
                chunk.consumedTo(chunk.limit(), 1);
                peer.reply("ok\n".getBytes(US_ASCII));
            }
            return true;
        }
    }

    @AfterEach
    void close() {
        listeners.close();
        threads.close();
    }

    private static Socket connect(Endpoint address) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.port());
        socket.setSoTimeout((int) Waits.MAX.toMillis());
        return socket;
    }

    private static String write(Socket socket, String token) throws IOException {
        socket.getOutputStream()
                .write(("POST /write HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token
                                + "\r\nContent-Length: 0\r\n\r\n")
                        .getBytes(US_ASCII));
        String status = new String(socket.getInputStream().readNBytes("HTTP/1.1 204".length()), US_ASCII);
        String rest = status.endsWith("204")
                ? "" // the connection stays open
                : new String(socket.getInputStream().readAllBytes(), US_ASCII);
        return status + rest;
    }

    private static String login(Socket socket, String token) throws IOException {
        socket.getOutputStream().write(("auth " + token + "\nm v=1\n").getBytes(US_ASCII));
        return new String(socket.getInputStream().readNBytes(3), US_ASCII);
    }

    @Test
    void aPrincipalHasNoMoreConnectionsThanItsQuotaOnAllPortsTogether() throws Exception {
        try (Socket first = connect(http);
                Socket second = connect(tcp);
                Socket third = connect(http);
                Socket fourth = connect(tcp);
                Socket other = connect(http)) {
            assertThat(write(first, LIMITED)).endsWith("204");
            assertThat(login(second, LIMITED)).isEqualTo("ok\n");

            assertThat(write(third, LIMITED))
                    .contains(" 429 ")
                    .containsIgnoringCase("retry-after: 1")
                    .contains("limited");
            assertThat(login(fourth, LIMITED)).isEqualTo("ERR");
            assertThat(write(other, OTHER)).endsWith("204");
            assertThat(access.get(AccessCounter.QUOTA_EXCEEDED)).isEqualTo(2);
            assertThat(counters.get(ChannelCounter.HTTP_CLIENT_CONNECTIONS_REFUSED))
                    .isOne();
            assertThat(counters.get(ChannelCounter.TCP_CLIENT_CONNECTIONS_REFUSED))
                    .isOne();
        }
        await().until(() -> {
            try (Socket again = connect(http)) {
                return write(again, LIMITED).endsWith("204");
            }
        });
    }

    /** A token shared by all agents still cannot take all connections of an input. */
    @Test
    void aPrincipalHasNoMoreThanItsShareOfAnInput() throws Exception {
        Socket[] all = new Socket[11];
        try {
            for (int i = 0; i < 10; i++) {
                all[i] = connect(tcp);
                assertThat(login(all[i], OTHER)).isEqualTo("ok\n");
            }
            all[10] = connect(tcp);
            assertThat(login(all[10], OTHER)).isEqualTo("ERR");
        } finally {
            for (Socket socket : all) {
                if (socket != null) {
                    socket.close();
                }
            }
        }
    }
}
