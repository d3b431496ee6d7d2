package io.chimera.coordinator.zookeeper;

import static io.chimera.coordinator.zookeeper.TestSessions.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.access.AccessControl;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.TlsConfig;
import io.chimera.common.config.TlsConfig.ClientAuth;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.security.TestAuthority;
import io.chimera.common.security.TestAuthority.Issued;
import io.chimera.common.security.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the reasons reported to an operator for a missing connection to ZooKeeper. */
final class ConnectionTroubleIT {
    private static final String[] HERE = {"IP:127.0.0.1", "URI:chimera://c/coordinator/c1"};

    @TempDir
    private Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private TestAuthority authority;
    private Issued processor;

    @BeforeEach
    void makeAuthority() {
        authority = new TestAuthority(folder.resolve("ours"), "ours");
        processor = authority.issue("p1", "URI:chimera://c/processor/p1");
    }

    @AfterEach
    void close() {
        for (int i = opened.size() - 1; i >= 0; i--) {
            CloseHelper.quietClose(opened.get(i));
        }
    }

    private EmbeddedZooKeeper server(Optional<Tls> tls) {
        EmbeddedZooKeeper server = new EmbeddedZooKeeper(
                folder.resolve("zk" + opened.size()),
                new Endpoint("127.0.0.1", 0),
                tls,
                AccessControl.open(new SystemClock()));
        opened.add(server);
        return server;
    }

    private EmbeddedZooKeeper serverOverTls(Issued holder, Clock clock) {
        return server(Optional.of(
                Tls.open("coordinator.tls", authority.config(holder, ClientAuth.NEED, null), false, clock)));
    }

    private EmbeddedZooKeeper serverOverTls() {
        return serverOverTls(authority.issue("c1", HERE), new SystemClock());
    }

    private static Tls tls(TestAuthority trusted, Issued holder) {
        return Tls.open("coordinator.tls", trusted.config(holder, ClientAuth.WANT, null), false, new SystemClock());
    }

    private static ZooKeeperSettings settings(String connect, Optional<Tls> tls) {
        return new ZooKeeperSettings(connect, "/chimera", "c", Duration.ofSeconds(6), "", tls);
    }

    private static String cause(String connect, Optional<Tls> tls) {
        return new ServerProbe(settings(connect, tls)).run();
    }

    private static String cause(EmbeddedZooKeeper server, Optional<Tls> tls) {
        return cause(server.address().toString(), tls);
    }

    @Test
    void aNodeNamesTheCauseAndForgetsItOnceItIsConnected() {
        TestAuthority strangers = new TestAuthority(folder.resolve("strangers"), "strangers");
        EmbeddedZooKeeper server = serverOverTls();
        Tls alien = tls(strangers, strangers.issue("p1", "URI:chimera://c/processor/p1"));
        ZooKeeperSession session = open(settings(server.address().toString(), Optional.of(alien)));

        until(() -> session.problem().isPresent());
        assertThat(session.problem().orElseThrow())
                .contains(server.address().toString(), "TLS handshake failed", "authority", "coordinator.tls");
    }

    private ZooKeeperSession open(ZooKeeperSettings settings) {
        ZooKeeperSession session = new ZooKeeperSession(
                settings, "n", new SystemClock(), new Counters<>(ClusterCounter.class), error -> {});
        opened.add(session);
        return session;
    }

    @Test
    void aGoodConnectionHasNoCause() {
        assertThat(cause(server(Optional.empty()), Optional.empty())).isEmpty();
        assertThat(cause(serverOverTls(), Optional.of(tls(authority, processor))))
                .isEmpty();
    }

    @Test
    void aServerThatDoesNotTrustThisNodesCertificateIsNamed() {
        TestAuthority strangers = new TestAuthority(folder.resolve("strangers"), "strangers");
        Issued untrusted = strangers.issue("p1", "URI:chimera://c/processor/p1");
        Tls mixed = Tls.open(
                "coordinator.tls",
                new TlsConfig(
                        untrusted.cert(),
                        untrusted.key(),
                        null,
                        authority.ca(),
                        null,
                        ClientAuth.WANT,
                        null,
                        null,
                        null,
                        Duration.ofSeconds(1)),
                false,
                new SystemClock());

        assertThat(cause(serverOverTls(), Optional.of(mixed)))
                .contains("TLS handshake failed", "this node's certificate");
    }

    @Test
    void anExpiredCertificateOfTheServerIsNamed() {
        Issued expired = authority.issueExpired("c1", HERE);
        ManualClock past = new ManualClock();
        past.stepWallClock(
                Duration.between(Instant.ofEpochMilli(past.epochMs()), Instant.parse("2020-01-15T00:00:00Z")));

        assertThat(cause(serverOverTls(expired, past), Optional.of(tls(authority, processor))))
                .contains("expired");
    }

    @Test
    void aCertificateOfAnotherNameIsNamed() {
        Issued elsewhere = authority.issue("c1", "DNS:elsewhere.example");

        assertThat(cause(serverOverTls(elsewhere, new SystemClock()), Optional.of(tls(authority, processor))))
                .contains("name or address");
    }

    @Test
    void plainToTlsAndTlsToPlainAreNamed() {
        assertThat(cause(serverOverTls(), Optional.empty())).contains("speaks TLS", "coordinator.tls");
        assertThat(cause(server(Optional.empty()), Optional.of(tls(authority, processor))))
                .contains("without TLS", "coordinator.tls");
    }

    @Test
    void aRefusedConnectionAnUnknownHostAndAnotherProgramAreNamed() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        assertThat(cause("127.0.0.1:" + free, Optional.empty())).contains("refused", "start the coordinator");
        assertThat(cause("nowhere.invalid:2181", Optional.empty())).contains("nowhere.invalid", "No address");

        try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread closer = new Thread(() -> closeFirst(mute), "closer");
            closer.start();
            assertThat(cause("127.0.0.1:" + mute.getLocalPort(), Optional.empty()))
                    .contains("ZooKeeper port");
        }
    }

    private static void closeFirst(ServerSocket server) {
        try {
            while (true) {
                server.accept().close();
            }
        } catch (IOException e) {
            Thread.currentThread().interrupt(); // the test has ended
        }
    }
}
