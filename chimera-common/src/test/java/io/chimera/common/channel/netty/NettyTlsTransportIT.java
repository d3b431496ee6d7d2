package io.chimera.common.channel.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.agent.Waits;
import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.RecordingHandler;
import io.chimera.common.channel.Transport;
import io.chimera.common.channel.TransportContract;
import io.chimera.common.channel.netty.node.ChannelFrame;
import io.chimera.common.channel.netty.socket.Handshakes;
import io.chimera.common.config.TlsConfig;
import io.chimera.common.config.TlsConfig.ClientAuth;
import io.chimera.common.identity.PeerCertificate;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.security.TestAuthority;
import io.chimera.common.security.TestAuthority.Issued;
import io.chimera.common.security.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Transport contract over TLS on loopback, and the refusal of clients, tested with the program openssl. */
@ExtendWith(NoLeaks.class)
final class NettyTlsTransportIT extends TransportContract {
    private static final ChannelThreads THREADS = new ChannelThreads("test");

    @TempDir
    private static Path folder;

    private static TestAuthority authority;
    private static TestAuthority stranger;
    private static Issued queue;
    private static Issued processor;
    private static Issued revoked;
    private static Path crl;

    private final Counters<ChannelCounter> counters = new Counters<>(ChannelCounter.class);
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final List<Transport> opened = new ArrayList<>();

    @BeforeAll
    static void issue() {
        authority = new TestAuthority(folder.resolve("ours"), "ours");
        stranger = new TestAuthority(folder.resolve("strangers"), "strangers");
        queue = authority.issue("q1", "URI:chimera://c/queue/q1");
        processor = authority.issue("p1", "URI:chimera://c/processor/p1");
        revoked = authority.issue("p2", "URI:chimera://c/processor/p2");
        crl = authority.revoke(revoked);
    }

    @AfterAll
    static void closeThreads() {
        THREADS.close();
    }

    @AfterEach
    void nothingFailed() {
        opened.forEach(Transport::close);
        assertThat(failures).isEmpty();
    }

    @Override
    protected Transport newTransport(String node) {
        return transport(node.startsWith("q") ? queue : processor);
    }

    private Transport transport(Issued holder) {
        return transport(authority.config(holder, ClientAuth.WANT, crl));
    }

    private Transport transport(TlsConfig config) {
        Tls tls = Tls.open("node.tls", config, false, new SystemClock());
        return new NettyTransport(THREADS, counters, failures::add, new NodeTls(tls, "c"));
    }

    private Endpoint listening() {
        Transport server = transport(processor);
        opened.add(server);
        return server.listen(anyAddress(), RecordingHandler::new);
    }

    /** Records the certificate of the peer. */
    private static final class Names implements ConnectionHandler {
        final AtomicReference<Optional<PeerCertificate>> peer = new AtomicReference<>();
        final AtomicReference<String> closed = new AtomicReference<>();

        @Override
        public void onOpen(Connection connection) {
            peer.set(connection.certificate());
        }

        @Override
        public boolean onFrame(Connection connection, DirectBuffer buffer, int offset, int length) {
            return true;
        }

        @Override
        public void onClose(String reason) {
            closed.set(reason);
        }
    }

    @Test
    void bothEndsKnowWhoTheOtherIs() {
        Names inside = new Names();
        Transport server = transport(processor);
        opened.add(server);
        Endpoint address = server.listen(anyAddress(), () -> inside);
        Names outside = new Names();
        Transport client = transport(queue);
        opened.add(client);

        client.connect(address, outside);

        Waits.await().until(() -> inside.peer.get() != null && outside.peer.get() != null);
        assertThat(inside.peer.get().orElseThrow().hasRole("c", "queue")).isTrue();
        assertThat(outside.peer.get().orElseThrow().hasRole("c", "processor")).isTrue();
    }

    @Test
    void nodesWithAForeignRevokedOrExpiredCertificateOrOfAnotherClusterAreRefused() {
        Issued otherCluster = authority.issue("q1", "URI:chimera://other/queue/q1");
        Issued nameless = authority.issue("q1", "DNS:localhost");
        Issued foreign = stranger.issue("q1", "URI:chimera://c/queue/q1");
        Endpoint address = listening();

        for (Issued bad : List.of(otherCluster, nameless, foreign, revoked)) {
            Names outside = new Names();
            Transport client = transport(authority.config(bad, ClientAuth.WANT, null));
            opened.add(client);
            client.connect(address, outside);
            Waits.await().until(() -> outside.closed.get() != null);
        }
        assertThat(counters.get(ChannelCounter.TLS_PEERS_REFUSED)).isEqualTo(2);
        assertThat(counters.get(ChannelCounter.TLS_HANDSHAKES_FAILED)).isGreaterThanOrEqualTo(2);
    }

    @Test
    void opensslSeesAHandshakeWithAGoodCertificateOnly() throws Exception {
        Endpoint address = listening();
        Issued expired = authority.issueExpired("q1", "URI:chimera://c/queue/q1");
        Issued foreign = stranger.issue("q1", "URI:chimera://c/queue/q1");

        assertThat(client(address, queue))
                .contains("Verify return code: 0 (ok)")
                .contains("CHMR-OPEN");
        for (Issued bad : List.of(expired, foreign, revoked)) {
            assertThat(client(address, bad)).doesNotContain("CHMR-OPEN");
        }
        assertThat(client(address, null)).doesNotContain("CHMR-OPEN");
    }

    /**
     * Returns the output of openssl. CHMR-OPEN stands for bytes sent by the node inside the connection, only after
     * accepting the client's certificate.
     */
    private static String client(Endpoint address, Issued holder) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "openssl",
                "s_client",
                "-connect",
                address.toString(),
                "-CAfile",
                authority.ca().toString(),
                "-tls1_3"));
        if (holder != null) {
            command.addAll(List.of(
                    "-cert", holder.cert().toString(), "-key", holder.key().toString()));
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        StringBuilder said = new StringBuilder();
        Thread reader = new Thread(() -> {
            try {
                byte[] part = new byte[4096];
                for (int n = process.getInputStream().read(part);
                        n >= 0;
                        n = process.getInputStream().read(part)) {
                    synchronized (said) {
                        said.append(new String(part, 0, n, StandardCharsets.ISO_8859_1));
                    }
                }
            } catch (IOException e) {
                return; // openssl was stopped
            }
        });
        reader.start();
        // The first frame of the channel ends with the magic number; a refused openssl ends by itself.
        Waits.await().until(() -> !process.isAlive() || hasStart(said));
        boolean isOpen = hasStart(said);
        process.destroy();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        reader.join();
        return said + (isOpen ? "CHMR-OPEN" : "");
    }

    private static boolean hasStart(StringBuilder said) {
        byte[] magic = java.nio.ByteBuffer.allocate(4)
                .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                .putInt(ChannelFrame.MAGIC)
                .array();
        synchronized (said) {
            return said.indexOf(new String(magic, StandardCharsets.ISO_8859_1)) >= 0;
        }
    }

    @Test
    void halfOpenHandshakesOfOneClientLeaveTheOthersRoom() throws Exception {
        Endpoint address = listening();
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < Handshakes.MAX; i++) {
            silent.add(new Socket(address.host(), address.port(), InetAddress.getByName("127.0.0.2"), 0));
        }
        try {
            Waits.await()
                    .until(() -> counters.get(ChannelCounter.TLS_HANDSHAKES_REFUSED)
                            >= Handshakes.MAX - Handshakes.CLIENT_MAX);
            assertThat(client(address, queue)).as("while the others hold").contains("CHMR-OPEN");
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void aRevokedPeerIsRefusedFromTheNextReloadOn() {
        Issued later = authority.issue("q9", "URI:chimera://c/queue/q9");
        Path list = folder.resolve("moving.crl");
        copy(crl, list);
        Tls tls = Tls.open("node.tls", authority.config(processor, ClientAuth.WANT, list), true, new SystemClock());
        Transport server = new NettyTransport(THREADS, counters, failures::add, new NodeTls(tls, "c"));
        opened.add(server);
        Endpoint address = server.listen(anyAddress(), RecordingHandler::new);
        Transport client = transport(authority.config(later, ClientAuth.WANT, null));
        opened.add(client);
        Names before = new Names();
        client.connect(address, before);
        Waits.await().until(() -> before.peer.get() != null);

        copy(authority.revoke(later), list);
        assertThat(tls.reload()).isTrue();
        Names after = new Names();
        client.connect(address, after);

        Waits.await().until(() -> after.closed.get() != null);
        assertThat(after.peer.get()).isNull();
    }

    private static void copy(Path from, Path to) {
        try {
            java.nio.file.Files.copy(from, to, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    protected void await(BooleanSupplier condition) {
        Waits.await()
                .pollInterval(Duration.ofMillis(1))
                .pollDelay(Duration.ZERO)
                .until(condition::getAsBoolean);
    }

    @Override
    protected void rest() {
        Waits.await().pollDelay(Duration.ofMillis(50)).until(() -> true);
    }
}
