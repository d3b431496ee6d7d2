package io.chimera.node.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.identity.NodeIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of an authority. */
final class AuthorityTest {
    @TempDir
    private Path folder;

    private Authority authority() {
        return new Authority(folder, Instant.now());
    }

    private List<Path> issue() {
        return authority()
                .issue(List.of(new NodeIdentity("lab", "queue", "q1")), List.of("localhost"), Duration.ofDays(1));
    }

    private String permissions(String name) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name)));
    }

    @Test
    void keysAndTheSecretAreReadableByTheirOwnerOnlyAndCertificatesByEverybody() throws IOException {
        authority().init("lab");
        issue();
        checkPermissions();

        issue();
        authority().revoke(folder.resolve("queue-q1.pem"));
        checkPermissions();
    }

    private void checkPermissions() throws IOException {
        for (String name : List.of("ca.key", "cluster.secret", "queue-q1.key")) {
            assertThat(permissions(name)).as(name).isEqualTo("rw-------");
        }
        for (String name : List.of("ca.pem", "crl.pem", "queue-q1.pem")) {
            assertThat(permissions(name)).as(name).isEqualTo("rw-r--r--");
        }
    }

    @Test
    void revokingAFileThatDoesNotExistNamesTheFileAndNotTheAuthority() {
        authority().init("lab");
        Path missing = folder.resolve("queue-q2.pem");

        assertThatThrownBy(() -> authority().revoke(missing))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining(missing.toString())
                .hasMessageNotContaining("tls init");
    }
}
