package io.chimera.node.inputs;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.node.child.FreePorts;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unmodified clients of Graphite write points; the sums in the store equal the sums of the sent values. */
@Tag("it")
final class GraphiteClientsIT {
    private static final Path RELAY = Path.of("/usr/bin/carbon-relay");
    private static final FreePorts PORTS = new FreePorts(6);
    private static final int LINES = InputNode.port(PORTS.next());
    private static final int PICKLES = InputNode.port(PORTS.next());
    private static final int RELAY_LINES = InputNode.port(PORTS.next());
    private static final int RELAY_PICKLES = InputNode.port(PORTS.next());

    @TempDir
    private static Path folder;

    private static InputNode node;

    @BeforeAll
    static void start() throws Exception {
        node = new InputNode(folder, PORTS, """
                graphite:
                  type: graphite
                  tcp: 127.0.0.1:%d
                  udp: 127.0.0.1:%d
                  graphite: { templates: ["servers.* .host.metric* dc=eu"] }
                pickles: { type: graphite_pickle, tcp: "127.0.0.1:%d" }
                """.formatted(LINES, LINES, PICKLES));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @Test
    void graphyteOverTcpWithTags() throws Exception {
        node.python("""
                import sys, graphyte
                sender = graphyte.Sender('127.0.0.1', int(sys.argv[1]), tags={'app': 'a'}, raise_send_errors=True)
                for i in range(500):
                    sender.send('it.graphyte.tcp', i, tags={'worker': str(i % 4)})
                sender.stop()
                """, String.valueOf(LINES));

        node.awaitStored("it.graphyte.tcp.value", 500, 124_750, 0, 499);
        assertThat(node.stored("it.graphyte.tcp.value.count").keySet())
                .anySatisfy(row -> assertThat(row).contains("\"app\":\"a\"", "\"worker\":\"3\""));
    }

    @Test
    void graphyteOverUdpWithATemplate() throws Exception {
        node.python("""
                import sys, graphyte
                sender = graphyte.Sender(
                    '127.0.0.1', int(sys.argv[1]), protocol='udp', prefix='servers.web1', raise_send_errors=True)
                for i in range(100):
                    sender.send('it.graphyte.udp', i + 0.5)
                sender.stop()
                """, String.valueOf(LINES));

        node.awaitStored("it.graphyte.udp.value", 100, 5_000, 0.5, 99.5);
        assertThat(node.stored("it.graphyte.udp.value.count").keySet())
                .allSatisfy(row -> assertThat(row).contains("\"dc\":\"eu\"", "\"host\":\"web1\""));
    }

    @Test
    void carbonRelaySendsPickles() throws Exception {
        Path home = Files.createDirectories(folder.resolve("carbon"));
        Files.writeString(home.resolve("storage-schemas.conf"), "[default]\npattern = .*\nretentions = 60s:1d\n");
        Path configuration = Files.writeString(
                home.resolve("carbon.conf"), """
                [relay]
                USER =
                LOG_DIR = %s
                PID_DIR = %s
                STORAGE_DIR = %s
                LINE_RECEIVER_INTERFACE = 127.0.0.1
                LINE_RECEIVER_PORT = %d
                PICKLE_RECEIVER_INTERFACE = 127.0.0.1
                PICKLE_RECEIVER_PORT = %d
                RELAY_METHOD = consistent-hashing
                DESTINATIONS = 127.0.0.1:%d:a
                MAX_QUEUE_SIZE = 100000
                CARBON_METRIC_INTERVAL = 0
                """.formatted(home, home, home, RELAY_LINES, RELAY_PICKLES, PICKLES));
        Process relay = node.start(RELAY, "--config=" + configuration, "--nodaemon", "start");
        try (Socket socket = await().ignoreExceptions().until(() -> connect(RELAY_LINES), Socket::isConnected)) {
            OutputStream out = socket.getOutputStream();
            for (int i = 0; i < 5_000; i++) {
                String line = "it.relay;worker=" + i % 4 + " " + i + " " + System.currentTimeMillis() / 1_000 + "\n";
                out.write(line.getBytes(StandardCharsets.US_ASCII));
            }
            node.awaitStored("it.relay.value", 5_000, 12_497_500, 0, 4_999);
        } finally {
            relay.destroyForcibly().waitFor();
        }
    }

    /** A message of almost 1 MiB is accepted, a longer one closes the connection. */
    @Test
    void largePicklesOfPythonAreBounded() throws Exception {
        node.python("""
                import pickle, socket, struct, sys
                points = [('it.pickle', (-1, float(i))) for i in range(15000)]
                for protocol in range(3):
                    message = pickle.dumps(points, protocol=protocol)
                    assert len(message) < 1 << 20
                    with socket.create_connection(('127.0.0.1', int(sys.argv[1]))) as sock:
                        sock.sendall(struct.pack('!L', len(message)) + message)
                with socket.create_connection(('127.0.0.1', int(sys.argv[1])), timeout=60) as sock:
                    sock.sendall(struct.pack('!L', (1 << 20) + 1) + b'x' * 1000)
                    assert sock.recv(1) == b''
                """, String.valueOf(PICKLES));

        node.awaitStored("it.pickle.value", 45_000, 3 * 112_492_500.0, 0, 14_999);
        assertThat(node.metric("chimera_parser_points_rejected_total")).isEqualTo(1);
    }

    private static Socket connect(int port) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }
}
