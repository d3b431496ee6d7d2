package io.chimera.archive.server.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.distributed.NodeBusyException;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.FoundPackets;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.error.ChimeraException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests to a node that begins to answer and then stays silent. */
final class HttpPeersTest {
    private static final Random RANDOM = new Random(1);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final String BEGUN = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n\1\r\n";

    private final CompletableFuture<Socket> client = new CompletableFuture<>();
    private ServerSocket server;
    private ArchiveMember node;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        node = new ArchiveMember("n", 1, "127.0.0.1:" + server.getLocalPort(), new ArchiveMember.IndexFormat(60, 0), 0);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    /** Serves one client. */
    private void serve(String answer) {
        Thread thread = new Thread(
                () -> {
                    try {
                        Socket accepted = server.accept();
                        assertThat(accepted.getInputStream().read(new byte[4096]))
                                .isPositive();
                        accepted.getOutputStream().write(answer.getBytes(US_ASCII));
                        accepted.getOutputStream().flush();
                        client.complete(accepted);
                    } catch (IOException e) {
                        client.completeExceptionally(e);
                    }
                },
                "silent-node");
        thread.setDaemon(true);
        thread.start();
    }

    @Test
    void anIndexNodeThatDoesNotFinishHasNotAnswered() {
        serve(BEGUN);
        try (HttpPeers peers = new HttpPeers(RANDOM, SHORT, LONG)) {
            assertThat(peers.ask(List.of(node), List.of(new byte[1]))).containsExactly((byte[]) null);
        }
    }

    @Test
    void packetsThatDoNotGoOnAreGivenUp() {
        serve(BEGUN);
        try (HttpPeers peers = new HttpPeers(RANDOM, LONG, SHORT);
                FoundPackets packets = peers.packets(node, Question.parse("udp", 0))) {
            assertThatThrownBy(packets::next).isInstanceOf(ChimeraException.class);
        }
    }

    @Test
    void whoWaitsForPacketsIsCancelledFromAnotherThread() throws ExecutionException, InterruptedException {
        serve(BEGUN);
        try (HttpPeers peers = new HttpPeers(RANDOM, LONG, LONG);
                FoundPackets packets = peers.packets(node, Question.parse("udp", 0))) {
            CompletableFuture<Boolean> next = CompletableFuture.supplyAsync(packets::next);
            client.get();
            packets.cancel();
            assertThat(next.get()).isFalse();
        }
    }

    @Test
    void aNodeWhoseAnswerNobodyWantsAnyMoreIsToldSo() throws Exception {
        serve("");
        try (HttpPeers peers = new HttpPeers(RANDOM, LONG, LONG)) {
            FoundPackets packets = peers.packets(node, Question.parse("udp", 0));
            Socket socket = client.get();
            packets.close();
            byte[] restOfRequest = socket.getInputStream().readAllBytes(); // returns only at the end of the connection
            assertThat(restOfRequest).hasSizeLessThan(1024);
        }
    }

    @Test
    void aNodeWithoutRoomSaysSoAheadOfItsAnswer() {
        serve("HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n");
        try (HttpPeers peers = new HttpPeers(RANDOM, LONG, LONG);
                FoundPackets packets = peers.packets(node, Question.parse("udp", 0))) {
            assertThatThrownBy(packets::prepare).isInstanceOf(NodeBusyException.class);
        }
    }

    @Test
    void anotherProcessAtTheAddressIsNotTakenForTheNode() {
        serve("HTTP/1.1 409 Conflict\r\nContent-Length: 0\r\n\r\n");
        try (HttpPeers peers = new HttpPeers(RANDOM, LONG, LONG);
                FoundPackets packets = peers.packets(node, Question.parse("udp", 0))) {
            assertThatThrownBy(packets::next)
                    .isInstanceOf(ChimeraException.class)
                    .hasMessageContaining("another process answers");
        }
    }
}
