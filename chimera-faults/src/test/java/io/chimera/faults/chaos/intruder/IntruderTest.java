package io.chimera.faults.chaos.intruder;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.chimera.faults.chaos.access.ClusterCredentials;
import io.chimera.faults.chaos.intruder.AttackTarget.Kind;
import io.chimera.faults.chaos.intruder.Intruder.Knowledge;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The intruder detects its successes: an open port is a success, a refusing port is not. */
final class IntruderTest {
    private static final String LOOPBACK = "127.0.0.1";

    @TempDir
    Path folder;

    private Intruder intruder;

    @BeforeEach
    void make() {
        ClusterCredentials credentials = ClusterCredentials.make(folder.resolve("credentials"));
        intruder = new Intruder(1, credentials, folder.resolve("intruder"), LOOPBACK, () -> new Knowledge(7, 3));
    }

    private static AttackTarget target(Kind kind, int port) {
        return new AttackTarget("h1", LOOPBACK, port, kind);
    }

    @Test
    void aPortThatAnswersARequestInTheClearIsASuccess() throws Exception {
        HttpServer open = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        open.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        open.start();
        try {
            int port = open.getAddress().getPort();

            intruder.attackAll(List.of(target(Kind.ZOOKEEPER_QUORUM, port)));

            AttackTally tally = intruder.tally();
            assertThat(tally.succeeded(AttackKind.PLAIN_HTTP)).isEqualTo(1);
            assertThat(tally.refused(AttackKind.PLAIN_FRAMES)).isEqualTo(1);
            assertThat(tally.successes()).anyMatch(text -> text.contains("plain_http at h1:" + port + "/status"));
            assertThat(tally.toMap()).containsKey("plain_http").hasSize(AttackKind.values().length);
        } finally {
            open.stop(0);
        }
    }

    @Test
    void aPortThatGivesAwayFramesIsASuccess() throws Exception {
        try (ServerSocket open = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread echo = new Thread(() -> echo(open));
            echo.setDaemon(true);
            echo.start();

            intruder.attackAll(List.of(target(Kind.UNKNOWN, open.getLocalPort())));

            assertThat(intruder.tally().succeeded(AttackKind.PLAIN_FRAMES)).isEqualTo(1);
        }
    }

    /** Echoes all bytes, so the intruder's own frames look like accepted frames. */
    private static void echo(ServerSocket open) {
        while (!open.isClosed()) {
            try (Socket socket = open.accept()) {
                socket.setSoTimeout(200);
                socket.getInputStream().transferTo(socket.getOutputStream());
            } catch (IOException e) {
                // next connection
            }
        }
    }

    @Test
    void portsThatCloseRefuseAndPortsWithoutAProcessProveNothing() throws Exception {
        int closed;
        try (ServerSocket soonGone = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            closed = soonGone.getLocalPort();
        }
        try (ServerSocket slamming = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread slam = new Thread(() -> slam(slamming));
            slam.setDaemon(true);
            slam.start();

            intruder.attackAll(List.of(target(Kind.NODE_HTTP, slamming.getLocalPort()), target(Kind.NODES, closed)));
        }

        AttackTally tally = intruder.tally();
        assertThat(tally.succeeded()).isZero();
        assertThat(tally.refused(AttackKind.HTTP_WRONG_TOKEN)).isEqualTo(3);
        assertThat(tally.unreachable(AttackKind.FRAMES_OTHER_IDENTITY)).isEqualTo(1);
        assertThat(tally.unproved())
                .contains(AttackKind.FRAMES_OTHER_IDENTITY, AttackKind.ZOOKEEPER_PLAIN)
                .doesNotContain(AttackKind.HTTP_WRONG_TOKEN, AttackKind.MALFORMED);
    }

    private static void slam(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                socket.accept().close();
            } catch (IOException e) {
                return;
            }
        }
    }

    @Test
    void aGreetingOrAnAlertIsNoAcceptance() {
        byte[] all = ChannelTalk.conversation("c", 7, 3);
        int greeting = 8 + 12 + 8 + (all[20] & 0xFF);

        assertThat(ChannelTalk.isAccepted(all)).isTrue();
        assertThat(ChannelTalk.isAccepted(Arrays.copyOf(all, greeting))).isFalse();
        assertThat(ChannelTalk.isAccepted(new byte[] {21, 3, 3, 0, 2, 2, 80})).isFalse();
        assertThat(ChannelTalk.isAccepted(new byte[0])).isFalse();
        all[all.length - 1]++;
        assertThat(ChannelTalk.isAccepted(Arrays.copyOfRange(all, greeting + 8 + 72, all.length)))
                .as("the first frame is whole")
                .isTrue();
    }
}
