package io.chimera.bench.datasets.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chimera.bench.report.ProgramRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Needs sshd and scp, which {@code scripts/setup --bench} installs. */
final class SshServerTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private Path from;
    private Path to;

    @BeforeEach
    void prepare() throws IOException {
        assumeTrue(ProgramRun.find("sshd").isPresent(), "sshd is not installed");
        assumeTrue(ProgramRun.find("scp").isPresent(), "scp is not installed");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        from = Files.createDirectory(folder.resolve("from"));
        to = Files.createDirectory(folder.resolve("to"));
    }

    @Test
    void copiesObjectsAtTheSameTime() throws Exception {
        Files.writeString(from.resolve("a"), "one");
        Files.writeString(from.resolve("b"), "other");

        try (SshServer server = SshServer.start(folder.resolve("ssh"));
                DeadlineProcess copy = copy(server, "a", "b")) {
            copy.succeed(LIMIT);
        }

        assertThat(to.resolve("a")).hasContent("one");
        assertThat(to.resolve("b")).hasContent("other");
    }

    @Test
    void aServerUsesTheFolderOfAnEarlierServer() throws Exception {
        SshServer.start(folder.resolve("ssh")).close();
        try (SshServer server = SshServer.start(folder.resolve("ssh"))) {
            assertThat(server.port()).isPositive();
        }
    }

    @Test
    void aCopyThatFailsIsAFailure() throws Exception {
        Files.writeString(from.resolve("b"), "other");

        try (SshServer server = SshServer.start(folder.resolve("ssh"));
                DeadlineProcess copy = copy(server, "absent", "b")) {
            assertThatThrownBy(() -> copy.succeed(LIMIT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll("exit code 1", "absent");
        }
    }

    private DeadlineProcess copy(SshServer server, String... objects) throws IOException {
        return DeadlineProcess.start(
                server.copy(server.port(), from, List.of(objects), to), folder, folder.resolve("copy.log"));
    }
}
