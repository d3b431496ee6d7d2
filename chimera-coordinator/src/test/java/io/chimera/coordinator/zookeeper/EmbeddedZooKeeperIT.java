package io.chimera.coordinator.zookeeper;

import static io.chimera.coordinator.zookeeper.TestSessions.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.error.ChimeraException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server in our own process: it keeps its data, and says plainly what it cannot have. */
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
