package io.chimera.coordinator.zookeeper;

import static io.chimera.coordinator.zookeeper.TestSessions.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.access.AccessControl;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.TlsConfig;
import io.chimera.common.config.TlsConfig.ClientAuth;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.security.TestAuthority;
import io.chimera.common.security.TestAuthority.Issued;
import io.chimera.common.security.Tls;
import io.chimera.coordinator.zookeeper.server.EmbeddedZooKeeper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Tests the reasons reported to an operator for a missing connection to ZooKeeper. */
@Isolated("ZooKeeper reads the TLS settings of a server from the properties of the JVM")
final class ConnectionTroubleIT {
    private static final String[] HERE = {"IP:127.0.0.1", "URI:chimera://c/coordinator/c1"};

    /** Timeout of a probe in a test that ends without the timeout. */
    private static final int MINUTE_MS = 60_000;

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
        Tls alien = Tls.open(
                "coordinator.tls",
                strangers.config(strangers.issue("c1", HERE), ClientAuth.NEED, null),
                false,
                new SystemClock());
        EmbeddedZooKeeper strange = server(Optional.of(alien));
        Endpoint address = strange.address();
        ZooKeeperSession session = open(settings(address.toString(), Optional.of(tls(authority, processor))));
        until(() -> session.problem().orElse("").contains("TLS handshake failed"));
        assertThat(session.problem().orElseThrow()).contains(address.toString(), "authority", "coordinator.tls");

        strange.close();
        opened.add(new EmbeddedZooKeeper(
                folder.resolve("later"),
                address,
                Optional.of(Tls.open(
                        "coordinator.tls",
                        authority.config(
                                authority.issue("c1", "DNS:localhost", HERE[0], HERE[1]), ClientAuth.NEED, null),
                        false,
                        new SystemClock())),
                AccessControl.open(new SystemClock())));

        until(() -> session.view().connected());
        assertThat(session.problem()).isEmpty();
    }

    @Test
    void aServerThatSendsByteByByteDoesNotKeepTheProbe() throws Exception {
        try (ServerSocket slow = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread sender = new Thread(() -> trickle(slow));
            sender.setDaemon(true);
            sender.start();
            ZooKeeperSettings settings = settings("127.0.0.1:" + slow.getLocalPort(), Optional.empty());

            assertThat(new ServerProbe(settings, 300).run())
                    .contains("answer within"); // a slow machine may miss single bytes
        }
    }

    private static void trickle(ServerSocket server) {
        try (Socket client = server.accept()) {
            for (int i = 0; i < 1_000; i++) {
                client.getOutputStream().write('x');
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
        } catch (IOException e) {
            return; // the probe has closed the connection
        }
    }

    @Test
    void aSilentNetworkIsReportedBeforeTheProbeEnds() throws IOException {
        try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ManualClock clock = new ManualClock();
            ZooKeeperSettings settings = settings("127.0.0.1:" + mute.getLocalPort(), Optional.empty());
            SessionAgent agent = agent(settings, clock, () -> null, new ServerProbe(settings, MINUTE_MS)::start);
            clock.advance(Duration.ofSeconds(2));
            agent.doWork();
            assertThat(agent.problem()).isEmpty();

            clock.advance(Duration.ofSeconds(1));
            agent.doWork();

            assertThat(agent.problem()).contains("No connection to ZooKeeper", "for 3 s");
        }
    }

    @Test
    void aProbeReportsOnlyToTheSilenceThatStartedIt() throws Exception {
        EmbeddedZooKeeper server = server(Optional.empty());
        ZooKeeperSettings settings = settings(server.address().toString(), Optional.empty());
        ManualClock clock = new ManualClock();
        List<Consumer<String>> probes = new ArrayList<>();
        ZooKeeper client = new ZooKeeper(settings.connect(), 6_000, event -> {});
        opened.add(client);
        SessionAgent agent = agent(settings, clock, () -> new ServerClient(client), probes::add);
        clock.advance(Duration.ofSeconds(3));
        agent.doWork();
        assertThat(probes).hasSize(1);
        agent.onState(ConnectionState.CONNECTED);
        until(() -> agent.doWork() >= 0 && agent.live() != null);
        assertThat(agent.problem()).isEmpty();

        agent.onState(ConnectionState.SUSPENDED);
        agent.doWork();
        clock.advance(Duration.ofSeconds(3));
        agent.doWork();
        probes.get(0).accept("an earlier cause");
        agent.doWork();
        assertThat(agent.problem()).contains("for 3 s").doesNotContain("an earlier cause");

        agent.doWork();
        assertThat(probes).hasSize(2);
        probes.get(1).accept("the cause");
        agent.doWork();
        assertThat(agent.problem()).contains("for 3 s", "the cause");
    }

    @Test
    void aFailedProbeHasAResultToo() {
        List<String> results = new ArrayList<>();
        assertThatThrownBy(() -> ServerProbe.complete(
                        () -> {
                            throw new IllegalStateException("unexpected");
                        },
                        results::add))
                .hasMessage("unexpected");

        assertThat(results).singleElement().asString().contains("probe");
    }

    @Test
    void aProbeThatCannotStartIsRepeatedLater() {
        ManualClock clock = new ManualClock();
        AtomicInteger started = new AtomicInteger();
        SessionAgent agent = agent(settings("127.0.0.1:1", Optional.empty()), clock, () -> null, done -> {
            started.incrementAndGet();
            throw new IllegalStateException("no thread");
        });
        clock.advance(Duration.ofSeconds(3));
        assertThatThrownBy(agent::doWork).hasMessage("no thread");
        agent.doWork();
        assertThat(started).hasValue(1);
        assertThat(agent.problem()).contains("No connection to ZooKeeper");

        clock.advance(Duration.ofSeconds(5));
        assertThatThrownBy(agent::doWork).hasMessage("no thread");
        assertThat(started).hasValue(2);
    }

    @Test
    void allServersAreProbedAtTheSameTime() throws IOException {
        CountDownLatch connected = new CountDownLatch(3);
        List<String> servers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            opened.add(server);
            servers.add("127.0.0.1:" + server.getLocalPort());
            new Thread(() -> answerOnceAllAre(connected, server), "server").start();
        }

        String found = new ServerProbe(settings(String.join(",", servers), Optional.empty()), MINUTE_MS).run();

        assertThat(found).isEmpty();
    }

    private static void answerOnceAllAre(CountDownLatch connected, ServerSocket server) {
        try (Socket client = server.accept()) {
            connected.countDown();
            connected.await();
            client.getOutputStream().write("Zookeeper version".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException | InterruptedException e) {
            Thread.currentThread().interrupt(); // the test has ended
        }
    }

    @Test
    void muteServersAreNamed() throws IOException {
        try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket second = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String connect = "127.0.0.1:" + first.getLocalPort() + ",127.0.0.1:" + second.getLocalPort();
            assertThat(new ServerProbe(settings(connect, Optional.empty()), 1_000).run())
                    .contains(first.getLocalPort() + ": No answer", second.getLocalPort() + ": No answer");
        }
    }

    private static SessionAgent agent(
            ZooKeeperSettings settings, Clock clock, Supplier<TreeClient> client, Consumer<Consumer<String>> probe) {
        return new SessionAgent(
                settings, new Access(settings), clock, new Counters<>(ClusterCounter.class), client, probe);
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
                Sections.of(
                        TlsConfig.class,
                        "cert",
                        untrusted.cert(),
                        "key",
                        untrusted.key(),
                        "ca",
                        authority.ca(),
                        "client_auth",
                        ClientAuth.WANT,
                        "reload",
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
