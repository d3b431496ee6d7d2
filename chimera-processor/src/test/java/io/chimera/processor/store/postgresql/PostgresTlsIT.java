package io.chimera.processor.store.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.StoreException;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.agent.Waits;
import io.chimera.common.config.TlsConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.security.TestAuthority;
import io.chimera.common.security.TestAuthority.Issued;
import io.chimera.common.security.Tls;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The store with a real PostgreSQL over TLS. */
@EnabledIf("io.chimera.processor.store.postgresql.PostgresServer#isInstalled")
final class PostgresTlsIT {
    private static final List<Row> ROWS =
            List.of(Row.ofLong("tls.count", Tags.of(Map.of("host", "a")), 1_700_000_000_000L, 7));

    @TempDir
    private static Path folder;

    private static TestAuthority authority;
    private static PostgresServer server;

    @BeforeAll
    static void startServer() {
        authority = new TestAuthority(folder.resolve("ours"), "ours");
        Issued issued = authority.issue("postgres", "IP:127.0.0.1");
        server = PostgresServer.createTls(issued.cert(), issued.key());
        server.database("tls");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static PostgresStore store(String host, Optional<TlsConfig> config) {
        Optional<Tls> tls = config.map(files -> Tls.open("stores.s.tls", files, false, new SystemClock()));
        String url = "postgresql://" + host + ":" + server.port() + "/tls";
        return new PostgresStore(url, 1000, Waits.MAX, PostgresServer.config(), tls);
    }

    private static Optional<TlsConfig> believes(TestAuthority one) {
        return Optional.of(Sections.of(TlsConfig.class, "ca", one.ca()));
    }

    @Test
    void writesAndReadsOverTls() throws StoreException {
        try (PostgresStore store = store("127.0.0.1", believes(authority))) {
            store.write(ROWS);
            assertThat(store.read(ROWS)).isEqualTo(ROWS);
            assertThat(server.query(
                            "postgresql://127.0.0.1:" + server.port() + "/tls",
                            "select ssl from pg_stat_ssl join pg_stat_activity using (pid)"
                                    + " where application_name = 'chimera'"))
                    .containsExactly("t");
        }
    }

    @Test
    void aCertificateOfAnotherAuthorityOrNameIsAnOutage() {
        TestAuthority stranger = new TestAuthority(folder.resolve("strangers"), "strangers");
        assertUntrusted(store("127.0.0.1", believes(stranger)));
        assertUntrusted(store("127.0.0.1", Optional.of(Sections.of(TlsConfig.class))));
        assertUntrusted(store("localhost", believes(authority)));
    }

    private static void assertUntrusted(PostgresStore store) {
        try (store) {
            assertThatThrownBy(() -> store.write(ROWS))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.retryable()).isTrue())
                    .hasMessageContaining("tls.ca");
        }
    }
}
