package io.chimera.coordinator.zookeeper;

import static io.chimera.coordinator.zookeeper.TestSessions.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.error.ChimeraException;
import io.chimera.coordinator.zookeeper.server.EmbeddedZooKeeper;
import io.chimera.coordinator.zookeeper.server.ServerWatch;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.zookeeper.server.command.FourLetterCommands;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Tests the embedded server: persistent data, restarts and errors of its directory or port. */
@Isolated("other test servers of the JVM permit every four-letter command, and ZooKeeper reads the list only once")
final class EmbeddedZooKeeperIT {
    private static final Endpoint ANY_PORT = new Endpoint("127.0.0.1", 0);

    @TempDir
    Path directory;

    @Test
    void keepsItsDataOverARestartAndNodesComeBackByThemselves() {
        EmbeddedZooKeeper first = new EmbeddedZooKeeper(directory, ANY_PORT);
        Endpoint address = first.address();
        try (TestSessions sessions = new TestSessions(address.toString(), "c")) {
            ZooKeeperSession session = sessions.open();
            session.cluster().announce(new ProcessorMember("p1", 21, "a", "h", "d", false));
            until(() -> session.view().processor(21).isPresent());
            sessions.by(client -> client.setData(sessions.znodes().epoch(), ZnodeCodec.conductor("kept"), -1));
            until(() -> session.conductor().equals("kept"));

            first.close();
            until(() -> !session.view().connected());
            assertThat(first.isRunning()).isFalse();
            try (EmbeddedZooKeeper second = new EmbeddedZooKeeper(directory, address)) {
                until(() -> session.view().connected()
                        && session.view().processor(21).isPresent());
                ZooKeeperSession fresh = sessions.open();
                until(() -> fresh.view().connected());
                assertThat(fresh.conductor()).isEqualTo("kept");
                assertThat(second.isRunning()).isTrue();
            }
        }
    }

    /** Mounts a file system, so this test runs for root only. */
    @Test
    void servesAgainByItselfWhenItsFullDiskHasRoom() throws IOException, InterruptedException {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=4m", "none", disk.toString()), "only root may mount a disk");
        AgentThreads threads = new AgentThreads("c", error -> {});
        try (EmbeddedZooKeeper server = new EmbeddedZooKeeper(disk.resolve("zookeeper"), ANY_PORT);
                TestSessions sessions = new TestSessions(server.address().toString(), "c")) {
            ServerWatch watch = new ServerWatch(server, disk.toString(), new SystemClock());
            threads.startControl(watch, watch.wakeup());
            ZooKeeperSession session = sessions.open();
            until(() -> session.view().connected());
            Path filler = disk.resolve("filler");
            fill(filler);
            until(() -> {
                session.cluster().announce(new ProcessorMember("p1", 21, "a".repeat(4_000), "h", "d", false));
                session.cluster().announce(new ProcessorMember("p1", 21, "b".repeat(4_000), "h", "d", false));
                return watch.problem().isPresent();
            });
            assertThat(watch.problem()).get().asString().contains("free space");

            Files.delete(filler);
            until(() -> watch.problem().isEmpty()
                    && session.view().connected()
                    && session.view().processor(21).isPresent());
            ZooKeeperSession fresh = sessions.open();
            until(() -> fresh.view().connected());
        } finally {
            threads.close();
            run("umount", "-l", disk.toString());
        }
    }

    private static void fill(Path file) throws IOException {
        byte[] block = new byte[4096];
        try (OutputStream out = Files.newOutputStream(file)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            assertThat(Files.size(file)).isPositive(); // the disk is full, as intended
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    @Test
    void saysWhichPortIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Endpoint address = new Endpoint("127.0.0.1", taken.getLocalPort());

            assertThatThrownBy(() -> new EmbeddedZooKeeper(directory, address))
                    .isInstanceOfSatisfying(ChimeraException.class, error -> assertThat(error.category())
                            .isEqualTo(ChimeraException.Category.FATAL))
                    .hasMessageContaining(address.toString())
                    .hasMessageContaining("coordinator.embedded.address");
        }
        new EmbeddedZooKeeper(directory, ANY_PORT).close();
    }

    @Test
    void saysWhichDirectoryItCannotUse() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));

        assertThatThrownBy(() -> new EmbeddedZooKeeper(file.resolve("below"), ANY_PORT))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining(file.resolve("below").toString())
                .hasMessageContaining("coordinator.embedded.data_dir");
    }

    @Test
    void refusesADirectoryThatAnotherServerUses() {
        try (EmbeddedZooKeeper first = new EmbeddedZooKeeper(directory, ANY_PORT)) {
            assertThat(first.isRunning()).isTrue();
            assertThatThrownBy(() -> new EmbeddedZooKeeper(directory, ANY_PORT))
                    .isInstanceOf(ChimeraException.class)
                    .hasMessageContaining("Another process runs a ZooKeeper server on");
        }
    }

    @Test
    void answersNoFourLetterCommandButOne() throws IOException {
        FourLetterCommands.resetWhiteList();
        try (EmbeddedZooKeeper server = new EmbeddedZooKeeper(directory, ANY_PORT)) {
            assertThat(command(server, "srvr")).contains("Mode: standalone");
            assertThat(command(server, "dump")).contains("not in the whitelist");
        }
    }

    private static String command(EmbeddedZooKeeper server, String command) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().port())) {
            socket.getOutputStream().write(command.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
