package io.chimera.coordinator.zookeeper;

import static io.chimera.coordinator.zookeeper.TestSessions.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.access.AccessControl;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.config.TlsConfig.ClientAuth;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.AccessCounter;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.security.TestAuthority;
import io.chimera.common.security.TestAuthority.Issued;
import io.chimera.common.security.Tls;
import io.chimera.coordinator.zookeeper.server.EmbeddedZooKeeper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests access to the znodes of a cluster, with and without secret and TLS. */
final class ZooKeeperAccessIT {
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);
    private static final String SECRET = "0123456789abcdef0123456789abcdef";

    @TempDir
    private Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();
    private final Counters<AccessCounter> refusals = new Counters<>(AccessCounter.class);
    private final AccessControl access = new AccessControl(null, new SystemClock(), refusals, null);
    private EmbeddedZooKeeper server;

    @BeforeEach
    void start() {
        server = new EmbeddedZooKeeper(
                folder.resolve("zookeeper"), new Endpoint("127.0.0.1", 0), Optional.empty(), access);
    }

    @AfterEach
    void close() {
        CloseHelper.quietCloseAll(opened);
        server.close();
    }

    private ZooKeeperSettings settings(String secret) {
        return new ZooKeeperSettings(
                server.address().toString(), "/chimera", "c", SESSION_TIMEOUT, secret, Optional.empty());
    }

    private ZooKeeperSession open(ZooKeeperSettings settings) {
        ZooKeeperSession session = new ZooKeeperSession(
                settings, "n" + opened.size(), new SystemClock(), new Counters<>(ClusterCounter.class), errors::add);
        opened.add(session);
        return session;
    }

    private static ProcessorMember member(int session) {
        return new ProcessorMember("p" + session, session, "a:" + session, "h", "d", false);
    }

    private ZooKeeper stranger() throws Exception {
        ZooKeeper client = new ZooKeeper(server.address().toString(), 6_000, event -> {});
        opened.add(client);
        until(() -> client.getState().isConnected());
        return client;
    }

    private void assertClosed(ZooKeeper stranger) throws Exception {
        Znodes znodes = new Znodes(settings(""));
        assertThatThrownBy(() -> stranger.getChildren(znodes.base(), false))
                .isInstanceOf(KeeperException.NoAuthException.class);
        assertThatThrownBy(() -> stranger.getData(znodes.low(), false, null))
                .isInstanceOf(KeeperException.NoAuthException.class);
        assertThatThrownBy(() -> stranger.getChildren(znodes.folder("processors"), false))
                .isInstanceOf(KeeperException.NoAuthException.class);
        assertThatThrownBy(() -> stranger.setData(znodes.epoch(), new byte[0], -1))
                .isInstanceOf(KeeperException.NoAuthException.class);
        assertThatThrownBy(() -> stranger.create(
                        znodes.folder("group") + "/intruder", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT))
                .isInstanceOf(KeeperException.NoAuthException.class);
        assertThatThrownBy(() -> stranger.delete(znodes.processor(1), -1))
                .isInstanceOf(KeeperException.NoAuthException.class);
        assertThatThrownBy(() -> stranger.setACL(znodes.base(), Ids.OPEN_ACL_UNSAFE, -1))
                .isInstanceOf(KeeperException.NoAuthException.class);
        assertThat(stranger.getData(znodes.version(), false, null)).isNotEmpty();
    }

    @Test
    void withoutTheSecretNobodyReadsOrWritesBelowTheCluster() throws Exception {
        ZooKeeperSession first = open(settings(SECRET));
        first.cluster().announce(member(1));
        ZooKeeperSession second = open(settings(SECRET));
        until(() -> second.view().processor(1).isPresent());

        ZooKeeper stranger = stranger();
        assertClosed(stranger);
        stranger.addAuthInfo("digest", "c:a wrong guess of it".getBytes(StandardCharsets.UTF_8));
        assertClosed(stranger);

        ZooKeeperSession without = open(settings(""));
        until(() -> without.problem().orElse("").contains("coordinator.secret"));
        assertThat(settings(SECRET).toString()).doesNotContain(SECRET);
        assertThat(refusals.get(AccessCounter.UNAUTHENTICATED)).isPositive();
        assertThat(refusals.get(AccessCounter.LOGINS_FAILED)).isPositive();
        assertThat(access.warnings()).singleElement().asString().contains("client=127.0.0.1", "/chimera/c");
    }

    @Test
    void anOpenTreeIsSecuredOnceAllMembersKnowTheSecret() throws Exception {
        ZooKeeperSession old = open(settings(""));
        old.cluster().announce(member(1));
        until(() -> old.view().processor(1).isPresent());
        ZooKeeperSession restarted = open(settings(SECRET));
        restarted.cluster().announce(member(2));
        until(() -> restarted.view().processors().size() == 2);

        assertThatThrownBy(() -> old.secure(true))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("coordinator.secret is not set");
        assertThatThrownBy(() -> restarted.secure(false))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("processors/1")
                .hasMessageNotContaining("processors/2");
        assertThat(stranger().getChildren("/chimera/c", false)).isNotEmpty();

        old.close();
        until(() -> restarted.view().processors().size() == 1);
        SecuredTree plan = restarted.secure(true);
        assertThat(plan.changed()).isEqualTo(plan.znodes()).isPositive();
        SecuredTree done = restarted.secure(false);
        assertThat(done.isDryRun()).isFalse();
        assertThat(restarted.secure(false).changed()).isZero();

        ZooKeeper stranger = stranger();
        Znodes znodes = new Znodes(settings(""));
        assertThatThrownBy(() -> stranger.getChildren(znodes.base(), false))
                .isInstanceOf(KeeperException.NoAuthException.class);
        assertThat(restarted.view().connected()).isTrue();
        ZooKeeperSession joining = open(settings(SECRET));
        joining.cluster().announce(member(3));
        until(() -> restarted.view().processor(3).isPresent());
        assertThat(restarted.secure(true).changed()).isZero();
        assertThat(errors).isEmpty();
    }

    @Test
    void overTlsOnlyHoldersOfAGoodCertificateConnectAlsoAfterARotation() throws Exception {
        TestAuthority authority = new TestAuthority(folder.resolve("ours"), "ours");
        TestAuthority strangers = new TestAuthority(folder.resolve("strangers"), "strangers");
        Issued coordinator = authority.issue("c1", "IP:127.0.0.1", "DNS:localhost", "URI:chimera://c/coordinator/c1");
        Issued processor = authority.issue("p1", "URI:chimera://c/processor/p1");
        Issued revoked = authority.issue("p2", "URI:chimera://c/processor/p2");
        Issued foreign = strangers.issue("p1", "URI:chimera://c/processor/p1");
        Path crl = authority.revoke(revoked);
        Tls own = Tls.open(
                "coordinator.tls", authority.config(coordinator, ClientAuth.NEED, crl), true, new SystemClock());
        try (EmbeddedZooKeeper secure = new EmbeddedZooKeeper(
                folder.resolve("secure"), new Endpoint("127.0.0.1", 0), Optional.of(own), access)) {
            Endpoint address = secure.address();
            ZooKeeperSession good = open(overTls(address, authority, processor));
            until(() -> good.view().connected());
            good.cluster().announce(member(1));

            List<Attempt> attempts = List.of(
                    attempt(own, at -> overTls(at, authority, revoked)),
                    attempt(own, at -> overTls(at, authority, foreign)),
                    attempt(
                            own,
                            at -> new ZooKeeperSettings(
                                    at.toString(), "/chimera", "c", SESSION_TIMEOUT, "", Optional.empty())));
            for (Attempt attempt : attempts) {
                until(() -> attempt.counters().get(AccessCounter.LOGINS_FAILED) > 0);
                until(() -> attempt.session().problem().isPresent());
                assertThat(attempt.session().view().connected()).isFalse();
                assertThat(attempt.access().warnings())
                        .singleElement()
                        .asString()
                        .contains("127.0.0.1", attempt.address().toString());
            }

            coordinator.replaceBy(
                    authority.issue("c1", "IP:127.0.0.1", "DNS:localhost", "URI:chimera://c/coordinator/c1"));
            processor.replaceBy(authority.issue("p1", "URI:chimera://c/processor/p1"));
            assertThat(own.reload()).isTrue();
            ZooKeeperSession later = open(overTls(address, authority, processor));
            until(() -> later.view().processor(1).isPresent());
            assertThat(good.view().connected()).isTrue();
        }
    }

    private record Attempt(
            Endpoint address, ZooKeeperSession session, AccessControl access, Counters<AccessCounter> counters) {}

    /** Opens a session to a server of its own: the counters then belong to one client. */
    private Attempt attempt(Tls own, Function<Endpoint, ZooKeeperSettings> settings) {
        Counters<AccessCounter> counters = new Counters<>(AccessCounter.class);
        AccessControl control = new AccessControl(null, new SystemClock(), counters, null);
        EmbeddedZooKeeper alone = new EmbeddedZooKeeper(
                folder.resolve("alone" + opened.size()), new Endpoint("127.0.0.1", 0), Optional.of(own), control);
        opened.add(alone);
        return new Attempt(alone.address(), open(settings.apply(alone.address())), control, counters);
    }

    @Test
    void aNodeWithoutTheSecretRetriesEveryFiveSecondsAndIsReportedOnceAMinute() throws Exception {
        ManualClock clock = new ManualClock();
        Counters<AccessCounter> counters = new Counters<>(AccessCounter.class);
        AccessControl control = new AccessControl(null, clock, counters, null);
        EmbeddedZooKeeper reporting = new EmbeddedZooKeeper(
                folder.resolve("reporting"), new Endpoint("127.0.0.1", 0), Optional.empty(), control);
        opened.add(reporting);
        String connect = reporting.address().toString();
        ZooKeeperSession first =
                open(new ZooKeeperSettings(connect, "/chimera", "c", SESSION_TIMEOUT, SECRET, Optional.empty()));
        until(() -> first.view().connected());

        ZooKeeperSettings without =
                new ZooKeeperSettings(connect, "/chimera", "c", SESSION_TIMEOUT, "", Optional.empty());
        ZooKeeper client = new ZooKeeper(connect, 6_000, event -> {});
        opened.add(client);
        AtomicInteger tries = new AtomicInteger();
        Supplier<TreeClient> counted = () -> {
            tries.incrementAndGet();
            return new ServerClient(client);
        };
        List<Consumer<String>> probes = new ArrayList<>();
        SessionAgent agent = new SessionAgent(
                without, new Access(without), clock, new Counters<>(ClusterCounter.class), counted, probes::add);
        agent.onState(ConnectionState.CONNECTED);
        agent.doWork();
        for (int tried = 1; tried <= 10; tried++) {
            // a try has two requests, each with one reply
            AtomicInteger replies = new AtomicInteger();
            until(() -> replies.addAndGet(agent.doWork()) >= 2);
            assertThat(tries).hasValue(tried);
            clock.advance(Duration.ofMillis(4_900));
            agent.doWork();
            assertThat(tries).hasValue(tried);
            clock.advance(Duration.ofMillis(100));
            agent.doWork();
            assertThat(tries).hasValue(tried + 1);
        }

        assertThat(agent.problem()).contains("coordinator.secret");
        assertThat(probes).isEmpty();
        assertThat(counters.get(AccessCounter.UNAUTHENTICATED)).isEqualTo(1);
    }

    private static ZooKeeperSettings overTls(Endpoint address, TestAuthority authority, Issued holder) {
        Tls tls =
                Tls.open("coordinator.tls", authority.config(holder, ClientAuth.WANT, null), false, new SystemClock());
        return new ZooKeeperSettings(address.toString(), "/chimera", "c", SESSION_TIMEOUT, SECRET, Optional.of(tls));
    }
}
