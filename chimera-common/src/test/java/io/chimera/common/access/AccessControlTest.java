package io.chimera.common.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.spi.Chunk;
import io.chimera.common.access.HttpRoute.Surface;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.channel.MemoryExchange;
import io.chimera.common.channel.Peer;
import io.chimera.common.channel.PrincipalConnections;
import io.chimera.common.config.binding.ConfigException;
import io.chimera.common.identity.AccessRole;
import io.chimera.common.identity.AddressRange;
import io.chimera.common.identity.NodeIdentity;
import io.chimera.common.identity.PasswordHash;
import io.chimera.common.identity.PeerCertificate;
import io.chimera.common.metrics.AccessCounter;
import io.chimera.common.metrics.Counters;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Access control: tokens, passwords, roles, inputs, quotas, failures, and the reload of the token file. */
final class AccessControlTest {
    private static final String TOKEN = "0f".repeat(32);
    private static final InetAddress HOST = InetAddress.getLoopbackAddress();
    private static final String PASSWORD = PasswordHash.write("correct horse", new SecureRandom());

    private final ManualClock clock = new ManualClock();
    private final Counters<AccessCounter> counters = new Counters<>(AccessCounter.class);

    @TempDir
    Path folder;

    private Path file;
    private AccessControl access;

    @BeforeEach
    void open() throws IOException {
        file = folder.resolve("tokens.yaml");
        write("""
            tokens:
              agent:
                sha256: %s
                roles: [ingest]
                inputs: [influx]
                points_per_second: 100
              alice: { password: "%s", roles: [operate] }
              old: { sha256: %s, roles: [admin], not_after: 1970-01-01 }
            """.formatted(sha256(TOKEN), PASSWORD, sha256("old")));
        clock.advanceMs(TimeUnit.DAYS.toMillis(2));
        access = new AccessControl(file, clock, counters, null);
    }

    private void write(String text) throws IOException {
        Files.writeString(file, text);
    }

    static String sha256(String text) {
        return HexFormat.of().formatHex(Principals.sha256(text));
    }

    private Verdict ingest(Credentials credentials, String input) {
        return access.check(credentials, HOST, AccessRole.INGEST, input, "test");
    }

    @Test
    void acceptsATokenOnlyForItsRoleAndInput() {
        assertThat(ingest(Credentials.token(TOKEN), "influx").principal()).isEqualTo("agent");
        assertThat(ingest(Credentials.token(TOKEN), "kairosdb").status()).isEqualTo(403);
        assertThat(access.check(Credentials.token(TOKEN), HOST, AccessRole.VIEW, "", "test")
                        .status())
                .isEqualTo(403);
        assertThat(ingest(Credentials.NONE, "influx").status()).isEqualTo(401);
        assertThat(ingest(Credentials.NONE, "influx").headers()).containsKey("WWW-Authenticate");
        assertThat(ingest(Credentials.token("wrong"), "influx").status()).isEqualTo(401);
        assertThat(counters.get(AccessCounter.LOGINS_FAILED)).isEqualTo(1);
        assertThat(counters.get(AccessCounter.UNAUTHENTICATED)).isEqualTo(2);
        assertThat(counters.get(AccessCounter.FORBIDDEN)).isEqualTo(2);
    }

    @Test
    void includesRolesAndRefusesExpiredTokens() {
        Credentials alice = Credentials.password("alice", "correct horse");

        assertThat(access.check(alice, HOST, AccessRole.VIEW, "", "test").isAccepted())
                .isTrue();
        assertThat(access.check(alice, HOST, AccessRole.OPERATE, "", "test").isAccepted())
                .isTrue();
        assertThat(access.check(alice, HOST, AccessRole.ADMIN, "", "test").status())
                .isEqualTo(403);
        assertThat(access.check(Credentials.password("alice", "battery"), HOST, AccessRole.VIEW, "", "test")
                        .status())
                .isEqualTo(401);
        assertThat(access.check(Credentials.password("bob", "battery"), HOST, AccessRole.VIEW, "", "test")
                        .status())
                .as("two password checks a second")
                .isEqualTo(429);
        assertThat(counters.get(AccessCounter.PASSWORD_CHECKS_DEFERRED)).isEqualTo(1);
        clock.advanceMs(1_000);
        assertThat(access.check(Credentials.password("bob", "battery"), HOST, AccessRole.VIEW, "", "test")
                        .status())
                .isEqualTo(401);
        assertThat(access.check(Credentials.token("old"), HOST, AccessRole.VIEW, "", "test")
                        .message())
                .contains("expired");
    }

    @Test
    void readsEveryFormOfCredentials() {
        String basic = Base64.getEncoder().encodeToString(("agent:" + TOKEN).getBytes(StandardCharsets.UTF_8));
        PortAccess port = new PortAccess(access, "influx", List.of());

        for (String header : List.of(
                "Bearer " + TOKEN, "bearer  " + TOKEN, "Token " + TOKEN, "Token agent:" + TOKEN, "Basic " + basic)) {
            MemoryExchange exchange = new MemoryExchange("POST", "/write").header("authorization", header);
            assertThat(port.check(Surface.INFLUX, exchange).isAccepted())
                    .as(header)
                    .isTrue();
            assertThat(exchange.principal()).isEqualTo("agent");
        }
        MemoryExchange parameters =
                new MemoryExchange("POST", "/write").with("u", "agent").with("p", TOKEN);
        assertThat(port.check(Surface.INFLUX, parameters).isAccepted()).isTrue();
        for (String header : List.of("Basic ???", "Digest x", TOKEN, "Bearer", "Bearer " + "x".repeat(5_000))) {
            MemoryExchange exchange = new MemoryExchange("POST", "/write").header("authorization", header);
            assertThat(port.check(Surface.INFLUX, exchange).isAccepted())
                    .as(header)
                    .isFalse();
        }
        assertThat(Credentials.token(TOKEN)).asString().doesNotContain(TOKEN);
    }

    @Test
    void blocksAnAddressForAMinuteAfterTenFailures() {
        for (int i = 0; i < FailedLogins.FAILURES_MAX; i++) {
            assertThat(ingest(Credentials.token("wrong" + i), "influx").status())
                    .isEqualTo(401);
        }

        Verdict blocked = ingest(Credentials.token("wrong"), "influx");

        assertThat(blocked.status()).isEqualTo(429);
        assertThat(blocked.headers()).containsKey("Retry-After");
        assertThat(ingest(Credentials.password("alice", "correct horse"), "influx")
                        .status())
                .as("passwords are not even checked")
                .isEqualTo(429);
        assertThat(ingest(Credentials.token(TOKEN), "influx").isAccepted())
                .as("others behind the address go on")
                .isTrue();
        clock.advanceMs(60_001);
        assertThat(ingest(Credentials.token("wrong"), "influx").status()).isEqualTo(401);
    }

    @Test
    void anExpiredTokenBlocksNobodyBehindItsAddress() {
        for (int i = 0; i < 3 * FailedLogins.FAILURES_MAX; i++) {
            assertThat(ingest(Credentials.token("old"), "influx").status()).isEqualTo(401);
        }

        assertThat(ingest(Credentials.token("wrong"), "influx").status()).isEqualTo(401);
    }

    @Test
    void aConnectionEndsWithTheRightsOfItsLogin() throws IOException {
        for (String changed : List.of(
                "tokens: { other: { sha256: %s, roles: [ingest] } }",
                "tokens: { agent: { sha256: %s, roles: [ingest] } }",
                "tokens: { agent: { sha256: %s, roles: [ingest], inputs: [kairosdb] } }")) {
            open();
            MemoryPeer peer = new MemoryPeer();
            LoginStream stream = login(peer);
            assertThat(stream.onBytes(chunk("a 1\n"))).isTrue();
            assertThat(peer.isClosed).isFalse();

            write(changed.formatted(changed.contains("kairosdb") ? sha256(TOKEN) : sha256("another")) + "\n");
            access.refresh();

            stream.onBytes(chunk("a 2\n"));
            assertThat(peer.isClosed).as(changed).isTrue();
        }
    }

    @Test
    void aChangedQuotaHoldsForOpenConnections() throws IOException {
        LoginStream stream = login(new MemoryPeer());
        write("tokens: { agent: { sha256: %s, roles: [ingest], inputs: [influx], points_per_second: 1 } }\n"
                .formatted(sha256(TOKEN)));
        access.refresh();

        access.charge("agent", 10, 0);

        assertThat(stream.onBytes(chunk("a 1\n"))).as("must pause").isFalse();
    }

    private LoginStream login(MemoryPeer peer) {
        LoginStream stream = new LoginStream(new PortAccess(access, "influx", List.of()), chunk -> {
            chunk.consumedTo(chunk.limit(), 1);
            return true;
        });
        stream.onOpen(peer);
        stream.onBytes(chunk("auth " + TOKEN + "\n"));
        return stream;
    }

    private static Chunk chunk(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new Chunk().wrap(bytes, 0, bytes.length, false);
    }

    private static final class MemoryPeer implements Peer {
        private boolean isClosed;

        @Override
        public InetSocketAddress address() {
            return new InetSocketAddress(HOST, 40_000);
        }

        @Override
        public boolean admit(String principal, int connectionsMax, PrincipalConnections all) {
            return true;
        }

        @Override
        public void reply(byte[] bytes) {}

        @Override
        public void close() {
            isClosed = true;
        }
    }

    @Test
    void aCertificateStandsForItsRoleWithoutAToken() {
        access.ofCluster("c");
        PortAccess node = new PortAccess(access, "", List.of());
        PortAccess input = new PortAccess(access, "influx", List.of());
        PeerCertificate queue = certificate("c", NodeIdentity.QUEUE);

        assertThat(command(node, certificate("c", NodeIdentity.OPERATOR), HttpRoute.NODE_REMOVE))
                .isZero();
        assertThat(command(node, queue, HttpRoute.NODE_RELOAD)).isZero();
        assertThat(command(node, queue, HttpRoute.NODE_REMOVE)).isEqualTo(401);
        assertThat(command(node, certificate("other", NodeIdentity.OPERATOR), HttpRoute.NODE_STATUS))
                .isEqualTo(401);
        assertThat(input.check(Surface.INFLUX, new MemoryExchange("POST", "/write").with(queue))
                        .isAccepted())
                .isTrue();
        assertThat(input.check(
                                Surface.INFLUX,
                                new MemoryExchange("POST", "/write")
                                        .with(queue)
                                        .header("authorization", "Bearer wrong"))
                        .status())
                .as("credentials that are shown count")
                .isEqualTo(401);
    }

    private static PeerCertificate certificate(String cluster, String role) {
        return new PeerCertificate("CN=x", List.of(new NodeIdentity(cluster, role, "x")), List.of());
    }

    private static int command(PortAccess port, PeerCertificate certificate, HttpRoute route) {
        return port.check(Surface.NODE, new MemoryExchange("POST", route.path()).with(certificate))
                .status();
    }

    @Test
    void failuresThatAreFarApartBlockNobody() {
        for (int i = 0; i < 3 * FailedLogins.FAILURES_MAX; i++) {
            assertThat(ingest(Credentials.token("wrong"), "influx").status()).isEqualTo(401);
            clock.advanceMs(10_000);
        }
    }

    @Test
    void refusesAPrincipalWhoseQuotaIsUsedUpUntilItsBucketFillsAgain() {
        assertThat(ingest(Credentials.token(TOKEN), "influx").isAccepted()).isTrue();
        access.charge("agent", 350, 0);

        Verdict over = ingest(Credentials.token(TOKEN), "influx");

        assertThat(over.status()).isEqualTo(429);
        assertThat(over.retrySeconds()).isEqualTo(3);
        assertThat(counters.get(AccessCounter.QUOTA_EXCEEDED)).isEqualTo(1);
        clock.advanceMs(3_000);
        assertThat(ingest(Credentials.token(TOKEN), "influx").isAccepted()).isTrue();
    }

    @Test
    void warnsOfTokensThatExpireAndOfClientsThatAreRefused() throws IOException {
        LocalDate today = LocalDate.ofInstant(Instant.ofEpochMilli(clock.epochMs()), ZoneOffset.UTC);
        LocalDate soon = today.plusDays(3);
        write("""
            tokens:
              agent: { sha256: %s, roles: [ingest], not_after: %s }
              later: { sha256: %s, roles: [ingest], not_after: %s }
            """.formatted(sha256(TOKEN), soon, sha256("later"), today.plusDays(60)));
        access.refresh();
        assertThat(access.warnings())
                .singleElement()
                .asString()
                .contains("agent expires at", soon.plusDays(1).toString());

        clock.advanceMs(TimeUnit.DAYS.toMillis(7));
        assertThat(ingest(Credentials.token(TOKEN), "influx").status()).isEqualTo(401);
        ingest(Credentials.token("secret"), "influx");
        ingest(Credentials.NONE, "influx");
        assertThat(access.warnings())
                .anyMatch(warning -> warning.contains("agent expired"))
                .anyMatch(warning -> warning.contains("3 requests") && warning.contains("no credentials"))
                .noneMatch(warning -> warning.contains("later") || warning.contains("secret"));

        clock.advanceMs(TimeUnit.MINUTES.toMillis(11));
        assertThat(access.warnings()).singleElement().asString().contains("agent expired");
    }

    @Test
    void readsTheFileAgainAndKeepsTheOldOneWhereTheNewOneIsWrong() throws IOException {
        write("tokens: { agent: { sha256: nonsense, roles: [ingest] } }\n");
        access.refresh();

        assertThat(access.warnings())
                .anyMatch(warning -> warning.contains("sha256"))
                .noneMatch(warning -> warning.contains("nonsense"));
        assertThat(ingest(Credentials.token(TOKEN), "influx").isAccepted()).isTrue();

        write("tokens: { agent: { sha256: %s, roles: [ingest] } }\n".formatted(sha256("another")));
        access.refresh();

        assertThat(access.warnings()).isEmpty();
        assertThat(ingest(Credentials.token(TOKEN), "influx").status()).isEqualTo(401);
        assertThat(ingest(Credentials.token("another"), "influx").isAccepted()).isTrue();
    }

    @Test
    void refusesAFileWithoutRolesOrSecretsAndNeverShowsThem() throws IOException {
        write("tokens: { a: { roles: [ingest] }, b: { sha256: %s }, c: { password: planted, roles: [view] } }\n"
                .formatted(sha256("x")));

        assertThatThrownBy(() -> new AccessControl(file, clock, counters, null))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("password")
                .hasMessageNotContaining("planted");
    }

    @Test
    void letsAllowedAddressesInWithoutATokenAndOthersNot() {
        PortAccess tokens = new PortAccess(access, "influx", List.of(AddressRange.parse("10.1.0.0/16")));
        PortAccess addresses = new PortAccess(
                AccessControl.open(clock),
                "influx",
                List.of(AddressRange.parse("10.1.0.0/16"), AddressRange.parse("2001:db8::/32")));

        assertThat(statusOf(tokens, "10.1.2.3")).isZero();
        assertThat(statusOf(tokens, "10.2.0.1")).isEqualTo(401);
        assertThat(statusOf(addresses, "10.1.2.3")).isZero();
        assertThat(statusOf(addresses, "2001:db8::7")).isZero();
        assertThat(statusOf(addresses, "2001:db9::7")).isEqualTo(403);
        assertThat(statusOf(addresses, "10.2.0.1")).isEqualTo(403);
        assertThat(statusOf(new PortAccess(AccessControl.open(clock), "influx", List.of()), "10.2.0.1"))
                .isZero();
    }

    @Test
    void refusesWebPagesWhereNoCredentialsAreNeeded() {
        AccessControl open = new AccessControl(null, clock, counters, null);
        PortAccess input = new PortAccess(open, "influx", List.of());
        PortAccess byAddress = new PortAccess(open, "influx", List.of(AddressRange.parse("127.0.0.0/8")));
        PortAccess node = new PortAccess(open, "", List.of());

        for (PortAccess port : List.of(input, byAddress)) {
            for (MemoryExchange page : List.of(
                    write().header("origin", "http://evil.example"),
                    write().header("origin", "null"),
                    write().header("sec-fetch-site", "cross-site"),
                    write().header("sec-fetch-site", "same-site"),
                    new MemoryExchange("GET", "/query").header("sec-fetch-site", "cross-site"))) {
                Verdict verdict = port.check(Surface.INFLUX, page);
                assertThat(verdict.status()).isEqualTo(403);
                assertThat(verdict.message()).contains("web page").contains("node.tokens");
            }
            assertThat(port.check(Surface.INFLUX, write()).isAccepted()).isTrue();
            assertThat(port.check(Surface.INFLUX, write().header("sec-fetch-site", "none"))
                            .isAccepted())
                    .isTrue();
        }
        assertThat(counters.get(AccessCounter.PAGES_REFUSED)).isEqualTo(10);
        assertThat(open.warnings())
                .singleElement()
                .satisfies(warning -> assertThat(warning).contains("web page").contains("GET /query"));

        MemoryExchange question = new MemoryExchange("POST", "/query").header("origin", "http://evil.example");
        MemoryExchange link = new MemoryExchange("GET", "/status").header("sec-fetch-site", "cross-site");
        assertThat(node.check(Surface.NODE, question).status()).isEqualTo(403);
        assertThat(node.check(Surface.NODE, link).isAccepted()).isTrue();
    }

    @Test
    void pagesWithCredentialsAreAsOtherClients() {
        PortAccess tokens = new PortAccess(access, "influx", List.of());
        PortAccess open = new PortAccess(AccessControl.open(clock), "influx", List.of());
        PeerCertificate certificate = new PeerCertificate("CN=agent", List.of(), List.of());

        MemoryExchange page = write().header("origin", "http://dashboard.example")
                .header("host", "dashboard.example")
                .header("authorization", "Bearer " + TOKEN);
        assertThat(tokens.check(Surface.INFLUX, page).isAccepted()).isTrue();
        assertThat(open.check(Surface.INFLUX, write().header("origin", "x").with(certificate))
                        .isAccepted())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 0",
        "127.0.0.1:8086, 0",
        "127.8.9.10:1, 0",
        "[::1]:8086, 0",
        "[0:0:0:0:0:0:0:1], 0",
        "localhost:8086, 0",
        "LocalHost., 0",
        "Node7.example:8086, 0",
        "' localhost ', 0",
        "127.0.0.1., 0",
        "127.1, 421",
        "127.0.0.256, 421",
        "127.0.0.99999999999999, 421",
        "127.0.0.1.1, 421",
        "127.0..1, 421",
        "'[127.0.0.1]', 421",
        "'', 0",
        "evil.example:8086, 421",
        "127.0.0.1.evil.example, 421",
        "localhost.evil.example, 421",
        "192.0.2.1:8086, 421",
        "[2001:db8::1]:8086, 421",
        "[::1, 421",
        "[::1.evil.example, 421",
        ":8086, 421"
    })
    void clientsOnLoopbackMustUseANameOfTheMachine(String host, int status) {
        AccessControl open = new AccessControl(null, clock, counters, null).ofHosts(List.of("node7.EXAMPLE"));
        for (Surface surface :
                List.of(Surface.NODE, Surface.INFLUX, Surface.KAIROSDB, Surface.REMOTE_WRITE, Surface.PLUGIN)) {
            PortAccess port = new PortAccess(open, surface == Surface.NODE ? "" : "in", List.of());
            Verdict verdict = port.check(surface, new MemoryExchange("GET", "/status").header("host", host));

            assertThat(verdict.status()).isEqualTo(status);
            assertThat(verdict.message().contains("node.host")).isEqualTo(status != 0);
            assertThat(port.check(surface, new MemoryExchange("GET", "/status")).isAccepted())
                    .as("HTTP/1.0 without Host")
                    .isTrue();
            assertThat(port.check(
                                    surface,
                                    new MemoryExchange("GET", "/status")
                                            .header("host", host)
                                            .from("192.0.2.7"))
                            .isAccepted())
                    .as("a client of another machine")
                    .isTrue();
        }
        assertThat(counters.get(AccessCounter.HOSTS_REFUSED)).isEqualTo(status == 0 ? 0 : 5);
    }

    @Test
    void clientsOnLoopbackMayUseTheNameOfTheMachine() {
        AccessControl open = new AccessControl(null, clock, counters, null).ofHosts(List.of("other.example"));
        PortAccess port = new PortAccess(open, "", List.of());
        String name = nameOfTheMachine();

        assertThat(port.check(Surface.NODE, new MemoryExchange("GET", "/status").header("host", name + ":8080"))
                        .isAccepted())
                .isTrue();
    }

    private static String nameOfTheMachine() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return Assumptions.abort("The machine cannot resolve its own name: " + e.getMessage());
        }
    }

    private static MemoryExchange write() {
        return new MemoryExchange("POST", "/write");
    }

    private static int statusOf(PortAccess port, String host) {
        return port.check(Surface.INFLUX, new MemoryExchange("POST", "/write").from(host))
                .status();
    }

    @Test
    void pathsThatAreNotListedNeedARole() {
        PortAccess port = new PortAccess(access, "", List.of());

        for (String path : List.of("//status", "/status/", "/STATUS", "/-/unknown", "/health/live/", "", "/.")) {
            assertThat(port.check(Surface.NODE, new MemoryExchange("GET", path)).status())
                    .as(path)
                    .isEqualTo(401);
        }
    }

    /** Liveness and version routes are public for probes; every other route needs a role. */
    @ParameterizedTest
    @EnumSource(HttpRoute.class)
    void onlyProbesAnswerEverybody(HttpRoute route) {
        assertThat(route.role().isEmpty()).isEqualTo(route.path().matches(".*/(health.*|ping|version)"));
        if (route.path().startsWith("/-/")) {
            assertThat(route.role()).get().isIn(AccessRole.OPERATE, AccessRole.ADMIN);
        }
    }
}
