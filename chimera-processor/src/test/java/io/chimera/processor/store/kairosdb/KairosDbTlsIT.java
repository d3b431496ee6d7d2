package io.chimera.processor.store.kairosdb;

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
import org.junit.jupiter.api.io.TempDir;

/** The store with a real KairosDB over TLS. */
final class KairosDbTlsIT {
    private static final List<Row> ROWS =
            List.of(Row.ofLong("tls.count", Tags.of(Map.of("host", "a")), 1_700_000_000_000L, 7));

    @TempDir
    private static Path folder;

    private static TestAuthority authority;
    private static int port;
    private static KairosDbServer server;

    @BeforeAll
    static void startServer() {
        authority = new TestAuthority(folder.resolve("ours"), "ours");
        port = KairosDbServer.freePort();
        Issued issued = authority.issue("kairos", "IP:127.0.0.1");
        Path keyStore = folder.resolve("kairos.p12");
        authority.run(
                "pkcs12",
                "-export",
                "-in",
                issued.cert().toString(),
                "-inkey",
                issued.key().toString(),
                "-passout",
                "pass:changeit",
                "-out",
                keyStore.toString());
        server = KairosDbServer.startTls(folder, keyStore, "changeit", port);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    /** Creates a store that trusts an authority; when empty, the authorities of the Java runtime. */
    private static KairosDbStore store(String host, Optional<TestAuthority> believed) {
        Optional<Tls> tls = believed.map(one ->
                Tls.open("stores.kairos.tls", Sections.of(TlsConfig.class, "ca", one.ca()), false, new SystemClock()));
        return new KairosDbStore("https://" + host + ":" + port, 1000, Waits.MAX, true, tls);
    }

    @Test
    void writesAndReadsOverTls() throws StoreException {
        try (KairosDbStore store = store("127.0.0.1", Optional.of(authority))) {
            store.write(ROWS);
            Waits.await().untilAsserted(() -> assertThat(store.read(ROWS)).isEqualTo(ROWS));
        }
    }

    @Test
    void aCertificateOfAnotherAuthorityOrNameIsAnOutage() {
        TestAuthority stranger = new TestAuthority(folder.resolve("strangers"), "strangers");
        assertUntrusted(store("127.0.0.1", Optional.of(stranger)), "tls.ca");
        assertUntrusted(store("127.0.0.1", Optional.empty()), "tls.ca");
        assertUntrusted(store("localhost", Optional.of(authority)), "localhost");
    }

    private static void assertUntrusted(KairosDbStore store, String word) {
        try (store) {
            assertThatThrownBy(() -> store.write(ROWS))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.retryable()).isTrue())
                    .hasMessageContaining(word);
        }
    }
}
