package io.chimera.bench.datasets.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chimera.bench.report.ProgramRun;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
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

    @Test
    void aCopyThatFailsWaitsForTheOtherCopies() throws Exception {
        long bytes = 256L << 20;
        try (RandomAccessFile large = new RandomAccessFile(from.resolve("b").toFile(), "rw")) {
            large.setLength(bytes);
        }

        try (SshServer server = SshServer.start(folder.resolve("ssh"));
                DeadlineProcess copy = copy(server, "absent", "b")) {
            assertThatThrownBy(() -> copy.succeed(LIMIT)).isInstanceOf(IOException.class);
            assertThat(to.resolve("b")).hasSize(bytes);
        }
    }

    @Test
    void refusesWritesAndOtherKeysOfLocalUsers() throws Exception {
        Path ssh = folder.resolve("ssh");
        Path local = Files.writeString(to.resolve("local"), "one");
        Files.setPosixFilePermissions(from, PosixFilePermissions.fromString("rwxrwxrwx"));

        try (SshServer server = SshServer.start(ssh)) {
            List<String> command = new ArrayList<>(server.copy(server.port(), from, List.of("a"), to));
            int scp = command.indexOf(ProgramRun.require("scp"));
            List<String> write = new ArrayList<>(command.subList(scp, command.size()));
            write.addAll(List.of(local.toString(), command.get(scp - 4) + "/a"));
            try (DeadlineProcess process = DeadlineProcess.start(write, folder, folder.resolve("write.log"))) {
                assertThatThrownBy(() -> process.succeed(LIMIT)).hasMessageContaining("upload");
            }
            assertThat(from).isEmptyDirectory();
            for (Path shared : List.of(ssh, ssh.resolve("client.pub"))) {
                assertThat(Files.getPosixFilePermissions(shared))
                        .doesNotContain(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
                assertThat(Files.getOwner(shared)).isEqualTo(Files.getOwner(folder));
            }
        }
    }

    @Test
    void noKeyStaysAfterClose() throws Exception {
        Path ssh = folder.resolve("ssh");
        SshServer.start(ssh).close();

        assertThat(ssh).isDirectoryNotContaining("glob:**{host,client}*");
    }

    private DeadlineProcess copy(SshServer server, String... objects) throws IOException {
        return DeadlineProcess.start(
                server.copy(server.port(), from, List.of(objects), to), folder, folder.resolve("copy.log"));
    }
}
