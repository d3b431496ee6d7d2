package io.chimera.common.channel.netty;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.spi.Chunk;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.channel.Listeners.Limits;
import io.chimera.common.channel.Peer;
import io.chimera.common.channel.StreamHandler;
import io.chimera.common.channel.WireProtocol;
import io.chimera.common.config.TlsConfig.ClientAuth;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.security.TestAuthority;
import io.chimera.common.security.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Foreign protocols on HTTP, line and TLS ports, over real sockets: each refusal names the protocol. */
@ExtendWith(NoLeaks.class)
final class ForeignProtocolIT {
    private static final Endpoint ANY = new Endpoint("127.0.0.1", 0);
    private static final Limits LIMITS = new Limits(1 << 20, 100, 8 << 20, 100, 60_000);
    private static final ChannelThreads THREADS = new ChannelThreads("test");
    private static final byte[] CLIENT_HELLO = HexFormat.of().parseHex("16030100c8010000c40303" + "5a".repeat(160));

    @TempDir
    private static Path folder;

    private static Tls tls;

    private final Counters<ChannelCounter> counters = new Counters<>(ChannelCounter.class);
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final List<String> refused = new CopyOnWriteArrayList<>();
    private NettyListeners listeners = new NettyListeners(THREADS, counters, failures::add);

    @BeforeAll
    static void issue() {
        TestAuthority authority = new TestAuthority(folder.resolve("ca"), "ca");
        tls = Tls.open(
                "inputs.a.tls",
                authority.config(authority.issue("a", "DNS:localhost"), ClientAuth.NONE, null),
                false,
                new SystemClock());
    }

    @AfterAll
    static void closeThreads() {
        THREADS.close();
    }

    @AfterEach
    void closeListeners() {
        listeners.close();
        assertThat(failures).isEmpty();
    }

    private void secure() {
        listeners = new NettyListeners(THREADS, counters, failures::add, Map.of(ANY, tls));
    }

    private final class Requests implements HttpHandler {
        @Override
        public void onRefused(int status, String reason, String target, InetSocketAddress client) {
            refused.add(status + "|" + reason + "|" + target + "|"
                    + client.getAddress().getHostAddress());
        }

        @Override
        public boolean handle(HttpExchange exchange) {
            return HttpListenerIT.echo(exchange);
        }
    }

    private final class Lines implements StreamHandler {
        private Peer peer;

        @Override
        public void onOpen(Peer newPeer) {
            peer = newPeer;
        }

        @Override
        public void onRefused(String reason, String beginning, InetSocketAddress client) {
            refused.add(reason + "|" + beginning);
        }

        @Override
        public boolean onBytes(Chunk chunk) {
            chunk.consumedTo(chunk.limit(), 0);
            peer.refuse("ERROR no\n".getBytes(UTF_8));
            return true;
        }
    }

    private RawClient.Answer answerTo(byte[] bytes) throws IOException {
        try (RawClient client = new RawClient(listeners.http(ANY, new Requests(), LIMITS))) {
            client.send(bytes);
            RawClient.Answer answer = client.answer();
            assertThat(client.isAtEnd()).isTrue();
            return answer;
        }
    }

    private void assertNamed(String text, String name) throws IOException {
        refused.clear();
        RawClient.Answer answer = answerTo(text.getBytes(UTF_8));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains(name);
        assertThat(refused).singleElement().asString().startsWith("400|").contains(name, "127.0.0.1");
    }

    @Test
    void anHttpPortNamesLinesAndJson() throws IOException {
        assertNamed("collectd.web1.load 1.5 1700000000\n", "Graphite plaintext");
        assertNamed("cpu,host=a usage=1.5\n", "InfluxDB line protocol");
        assertNamed("put cpu 1700000000 1 host=a\n", "telnet");
        assertNamed("[{\"values\":[1]}]\n", "JSON");
    }

    @Test
    void anHttpPortNamesTlsAtOnceAndInPieces() throws IOException {
        RawClient.Answer answer = answerTo(CLIENT_HELLO);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("TLS handshake");

        try (RawClient client = new RawClient(listeners.http(ANY, new Requests(), LIMITS))) {
            for (int i = 0; i < 6; i++) {
                client.send(new byte[] {CLIENT_HELLO[i]});
            }
            assertThat(client.answer().body()).contains("TLS handshake");
        }
        assertThat(counters.get(ChannelCounter.HTTP_ANSWERS_4XX)).isEqualTo(2);
        assertThat(refused).hasSize(2);
    }

    @Test
    void anHttpPortTakesRequestsInPieces() throws IOException {
        try (RawClient client = new RawClient(listeners.http(ANY, new Requests(), LIMITS))) {
            for (char c : "POST /a HTTP/1.1\r\nContent-Length: 2\r\n\r\nok".toCharArray()) {
                client.send(String.valueOf(c));
            }
            assertThat(client.answer().body()).isEqualTo("ok");
            client.post("/b", "", "more".getBytes(UTF_8));
            assertThat(client.answer().body()).isEqualTo("more");
        }
        assertThat(refused).isEmpty();
    }

    @Test
    void theHandlerHearsOfRequestsThatTheListenerRefuses() throws IOException {
        Endpoint address = listeners.http(ANY, new Requests(), LIMITS);
        try (RawClient client = new RawClient(address)) {
            client.send("POST /write?p=secret HTTP/1.1\r\nContent-Length: 9999999\r\n\r\n");
            assertThat(client.answer().status()).isEqualTo(413);
        }
        try (RawClient client = new RawClient(address)) {
            client.post("/write", "Content-Encoding: br\r\n", new byte[] {1});
            assertThat(client.answer().status()).isEqualTo(415);
        }
        assertThat(refused).hasSize(2);
        assertThat(refused.get(0)).startsWith("413|").contains("|POST /write|").doesNotContain("secret");
        assertThat(refused.get(1)).startsWith("415|");
    }

    @Test
    void aTlsPortAnswersPlainHttpInPlainHttp() throws IOException {
        secure();
        try (RawClient client = new RawClient(listeners.http(ANY, new Requests(), LIMITS))) {
            client.send("GET /a HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer secret\r\n\r\n");
            RawClient.Answer answer = client.answer();
            assertThat(answer.status()).isEqualTo(WireProtocol.UPGRADE_REQUIRED);
            assertThat(answer.headers()).containsEntry("upgrade", "TLS/1.2");
            assertThat(answer.body()).contains("without TLS", "https");
            assertThat(client.isAtEnd()).isTrue();
        }
        assertThat(refused).singleElement().asString().contains("an HTTP request without TLS");
        await().until(() -> counters.get(ChannelCounter.TLS_HANDSHAKES_FAILED) == 1);
    }

    @Test
    void aTlsPortNamesPlainLines() throws IOException {
        secure();
        try (RawClient client = new RawClient(listeners.tcp(ANY, Lines::new, LIMITS))) {
            client.send("collectd.web1.load 1.5 1700000000\n");
            assertThat(new String(client.read(42), UTF_8)).isEqualTo("ERROR This looks like Graphite plaintext w");
        }
        assertThat(refused).hasSize(1);
        assertThat(refused.get(0)).contains("without TLS").endsWith("|collectd.web1.load 1.5 1700000000\n");
    }

    @Test
    void aRefusedConnectionGetsItsAnswerThoughItStillSends() throws IOException {
        try (RawClient client = new RawClient(listeners.tcp(ANY, Lines::new, LIMITS))) {
            client.send("GET / HTTP/1.1\r\n");
            client.send(new byte[200_000]);
            assertThat(new String(client.read(9), UTF_8)).isEqualTo("ERROR no\n");
            assertThat(client.isAtEnd()).isTrue();
        }
    }
}
