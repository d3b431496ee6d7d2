package io.chimera.common.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.config.TlsConfig;
import io.chimera.common.config.TlsConfig.ClientAuth;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.identity.NodeIdentity;
import io.chimera.common.identity.PeerCertificate;
import io.chimera.common.security.TestAuthority.Issued;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificate files: refused files, and the effect of a reload. */
final class TlsTest {
    private static final String IDENTITY = "URI:chimera://c/queue/q1";

    @TempDir
    private static Path folder;

    private static TestAuthority authority;
    private static TestAuthority stranger;

    @BeforeAll
    static void makeAuthorities() {
        authority = new TestAuthority(folder.resolve("ours"), "ours");
        stranger = new TestAuthority(folder.resolve("strangers"), "strangers");
    }

    private static Tls open(TlsConfig config) {
        return Tls.open("node.tls", config, true, new SystemClock());
    }

    private static TlsConfig config(Path cert, Path key, String password) {
        return Sections.of(TlsConfig.class, "cert", cert, "key", key, "key_password", password, "ca", authority.ca());
    }

    @Test
    void aGoodCertificateTellsItsEndAndItsNames() {
        Issued good = authority.issue("q1", IDENTITY, "DNS:host.example");
        Tls tls = open(authority.config(good, ClientAuth.NEED, null));

        assertThat(tls.notAfterMs()).containsOnlyKeys(authority.ca(), good.cert());
        assertThat(tls.warnings()).isEmpty();
        PeerCertificate names =
                PeerCertificate.of(PemReader.certificates(good.cert()).get(0));
        assertThat(names.names()).containsExactly("q1", "chimera://c/queue/q1", "host.example");
        assertThat(names.hasRole("c", NodeIdentity.QUEUE)).isTrue();
        assertThat(names.isOf("other")).isFalse();
        assertThat(names.matches(java.util.List.of("*.example"))).isTrue();
        assertThat(names.matches(java.util.List.of("example"))).isFalse();
        assertThat(PeerCertificate.mismatch(Optional.of(names), new NodeIdentity("c", "queue", "q1")))
                .isEmpty();
        assertThat(PeerCertificate.mismatch(Optional.of(names), new NodeIdentity("c", "processor", "q1")))
                .isPresent();
    }

    @Test
    void aesWithShortKeysGoesFirst() {
        Tls tls = open(authority.config(authority.issue("q1", IDENTITY), ClientAuth.NEED, null));

        assertThat(tls.nodeServerEngine().getEnabledCipherSuites())
                .startsWith("TLS_AES_128_GCM_SHA256")
                .contains("TLS_AES_256_GCM_SHA384")
                .noneMatch(suite -> suite.contains("_CBC_"));
    }

    @Test
    void aForeignKeyAnExpiredCertificateAndAForeignAuthorityAreNamed() {
        Issued good = authority.issue("q1", IDENTITY);
        Issued other = authority.issue("q2", IDENTITY);
        Issued expired = authority.issueExpired("q1", IDENTITY);
        Issued foreign = stranger.issue("q1", IDENTITY);

        assertThatThrownBy(() -> open(config(good.cert(), other.key(), null)))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("node.tls")
                .hasMessageContaining(other.key().toString())
                .hasMessageContaining("not the key");
        assertThatThrownBy(() -> open(config(expired.cert(), expired.key(), null)))
                .hasMessageContaining(expired.cert().toString())
                .hasMessageContaining("expired");
        assertThatThrownBy(() -> open(config(foreign.cert(), foreign.key(), null)))
                .hasMessageContaining("not issued by");
        assertThatThrownBy(() -> open(config(folder.resolve("nowhere.pem"), good.key(), null)))
                .hasMessageContaining("nowhere.pem")
                .hasMessageContaining("cannot be read");
        assertThatThrownBy(() -> open(config(good.key(), good.key(), null))).hasMessageContaining("no certificate");
    }

    @Test
    void anEncryptedKeyOpensWithItsPasswordOnly() {
        Issued good = authority.issue("q1", IDENTITY);
        Path encrypted = folder.resolve("encrypted.key");
        authority.run(
                "pkcs8",
                "-topk8",
                "-v2",
                "aes-256-cbc",
                "-in",
                good.key().toString(),
                "-out",
                encrypted.toString(),
                "-passout",
                "pass:right");

        assertThat(open(config(good.cert(), encrypted, "right")).warnings()).isEmpty();
        assertThatThrownBy(() -> open(config(good.cert(), encrypted, "wrong")))
                .hasMessageContaining("key_password")
                .satisfies(e -> assertThat(e.toString()).doesNotContain("wrong"));
        assertThatThrownBy(() -> open(config(good.cert(), encrypted, null))).hasMessageContaining("key_password");
    }

    @Test
    void newFilesAreTakenAndUnusableOnesLeaveTheOldInUse() throws IOException {
        Issued holder = authority.issue("q1", IDENTITY);
        Tls tls = open(authority.config(holder, ClientAuth.NEED, null));
        assertThat(tls.reload()).isFalse();

        Files.writeString(holder.key(), "torn");
        assertThat(tls.reload()).isFalse();
        assertThat(tls.warnings()).hasSize(1);
        assertThat(tls.warnings().get(0)).contains(holder.key().toString());

        holder.replaceBy(authority.issue("q1", IDENTITY));
        assertThat(tls.reload()).isTrue();
        assertThat(tls.warnings()).isEmpty();
    }

    @Test
    void aSymbolicLinkThatIsSwappedIsAChange() throws IOException {
        Issued first = authority.issue("q1", IDENTITY);
        Issued second = authority.issue("q1", IDENTITY);
        Path data = Files.createDirectories(folder.resolve("k8s")).resolve("..data");
        Path one = Files.createDirectories(folder.resolve("k8s/one"));
        Path two = Files.createDirectories(folder.resolve("k8s/two"));
        for (Path file : java.util.List.of(first.cert(), first.key())) {
            Files.copy(file, one.resolve(file.equals(first.cert()) ? "tls.crt" : "tls.key"));
        }
        for (Path file : java.util.List.of(second.cert(), second.key())) {
            Files.copy(file, two.resolve(file.equals(second.cert()) ? "tls.crt" : "tls.key"));
        }
        Files.createSymbolicLink(data, one);
        Tls tls = open(config(data.resolve("tls.crt"), data.resolve("tls.key"), null));

        Files.delete(data);
        Files.createSymbolicLink(data, two);

        assertThat(tls.reload()).isTrue();
    }

    @Test
    void aRevocationListOfAnotherAuthorityIsRefused() {
        Issued good = authority.issue("q1", IDENTITY);
        Path foreign = stranger.revocationList();

        assertThatThrownBy(() -> open(authority.config(good, ClientAuth.NEED, foreign)))
                .hasMessageContaining(foreign.toString())
                .hasMessageContaining("not signed");
    }
}
