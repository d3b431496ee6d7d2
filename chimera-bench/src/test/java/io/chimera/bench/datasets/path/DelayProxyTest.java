package io.chimera.bench.datasets.path;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class DelayProxyTest {
    private static final PathModel PATH = PathModel.of(2, 1_000);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void end() throws IOException {
        server.close();
        threads.shutdownNow();
    }

    @Test
    void carriesAllBytesInOrderInBothDirections() throws Exception {
        byte[] content = new byte[3_000_017];
        new Random(1).nextBytes(content);
        threads.execute(this::echo);
        try (DelayProxy proxy = DelayProxy.start(PATH, server.getLocalPort());
                Socket client = connect(proxy)) {
            Future<?> sending = threads.submit(() -> {
                client.getOutputStream().write(content);
                client.shutdownOutput();
                return null;
            });

            assertThat(client.getInputStream().readAllBytes()).isEqualTo(content);
            sending.get();
        }
    }

    @Test
    void carriesSeveralConnections() throws Exception {
        threads.execute(this::echo);
        threads.execute(this::echo);
        try (DelayProxy proxy = DelayProxy.start(PATH, server.getLocalPort());
                Socket one = connect(proxy);
                Socket other = connect(proxy)) {
            one.getOutputStream().write(1);
            other.getOutputStream().write(2);

            assertThat(other.getInputStream().read()).isEqualTo(2);
            assertThat(one.getInputStream().read()).isEqualTo(1);
        }
    }

    @Test
    void countsBytesOfEndedConnections() throws Exception {
        threads.execute(this::echo);
        DelayProxy proxy = DelayProxy.start(PATH, server.getLocalPort());
        try (Socket client = connect(proxy)) {
            client.getOutputStream().write(new byte[1_000]);
            client.shutdownOutput();
            assertThat(client.getInputStream().readAllBytes()).hasSize(1_000);
        } finally {
            proxy.close();
        }

        assertThat(proxy.bytes()).isEqualTo(1_000);
    }

    @Test
    void closesAConnectionThatTheServerRefuses() throws Exception {
        int port = server.getLocalPort();
        server.close();
        try (DelayProxy proxy = DelayProxy.start(PATH, port);
                Socket client = connect(proxy)) {
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void endsOpenConnectionsOnClose() throws Exception {
        threads.execute(this::echo);
        DelayProxy proxy = DelayProxy.start(PATH, server.getLocalPort());
        try (Socket client = connect(proxy)) {
            client.getOutputStream().write(1);
            assertThat(client.getInputStream().read()).isEqualTo(1);
            proxy.close();

            assertThat(endOf(client)).isTrue();
        }
    }

    /** Returns whether the connection ended, by an end of stream or by a reset. */
    private static boolean endOf(Socket client) {
        try {
            return client.getInputStream().read() < 0;
        } catch (IOException e) {
            return true;
        }
    }

    private static Socket connect(DelayProxy proxy) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    }

    private void echo() {
        try (Socket socket = server.accept();
                InputStream in = socket.getInputStream();
                OutputStream out = socket.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException e) {
            // the test ended the connection
        }
    }
}
