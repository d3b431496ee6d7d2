package io.chimera.node.launch;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import io.chimera.node.child.ChildProcess;
import io.chimera.node.child.FreePorts;
import io.chimera.node.replay.RowCatcher;
import io.chimera.node.watch.NodeClient;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two queue nodes with two lanes each: one of them is killed with SIGKILL in open cycles and restarted, then started
 * with more lanes, removed while it lives, and replaced by a node with fewer lanes.
 */
@Tag("it")
final class QueueLanesIT {
    private static final List<String> JVM =
            List.of("-Xmx256m", "-XX:MaxDirectMemorySize=192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** Enough connections that the kernel's hash gives all of them to one lane once in 2^40 runs. */
    private static final int CONNECTIONS = 40;

    private static final int POINTS = 10;

    @TempDir
    Path folder;

    private final NodeClient client = new NodeClient();
    private final FreePorts ports = new FreePorts(20);
    private final Map<String, ChildProcess> nodes = new LinkedHashMap<>();
    private final Map<String, String> http = new LinkedHashMap<>();
    private final Map<String, String> data = new HashMap<>();
    private final Map<String, String> addresses = new HashMap<>();
    private final RowCatcher store;
    private final String zooKeeper = ports.next();
    private final Map<String, String> inputs = Map.of("http", ports.next(), "tcp", ports.next(), "udp", ports.next());
    private final String otherInput = ports.next();

    QueueLanesIT() throws IOException {
        store = new RowCatcher();
    }

    @AfterEach
    void stop() {
        List<ChildProcess> all = new ArrayList<>(nodes.values());
        for (int i = all.size() - 1; i >= 0; i--) {
            all.get(i).close();
        }
        store.close();
    }

    @Test
    void lanesTakeConnectionsAndLoseAndDoubleNothing() throws Exception {
        start("q1", "queue_coordinator", 2);
        start("q2", "queue", 2);
        start("p1", "processor", 2);
        await().until(() -> ids("queue").equals(List.of("q1-queue", "q1-queue.1", "q2", "q2.1")));
        await().until(() -> ready("q1") && ready("q2") && ready("p1"));
        awaitLanes("q1");
        awaitLanes("q2");

        sendHttp();
        awaitPoints(CONNECTIONS * POINTS);
        assertEachLaneParsed("q1", CONNECTIONS * POINTS);
        sendTcp();
        awaitPoints(2 * CONNECTIONS * POINTS);
        sendUdp();
        awaitPoints(3 * CONNECTIONS * POINTS);

        store.acceptOnly(0);
        sendHttp();
        await().until(() -> openPoints() > 0);
        nodes.get("q2").kill();
        start("q2", "queue", 2);
        store.acceptOnly(Integer.MAX_VALUE);
        awaitPoints(4 * CONNECTIONS * POINTS);
        await().until(() -> ids("queue").equals(List.of("q1-queue", "q1-queue.1", "q2", "q2.1")));
        awaitLanes("q2");
        sendHttp();
        awaitPoints(5 * CONNECTIONS * POINTS);

        assertStored(5 * CONNECTIONS * POINTS);
        replaysTheRecordsOfAllLanes(5 * CONNECTIONS * POINTS);

        startsWithMoreLanes();
        removesALiveNode();
        sendHttp();
        awaitPoints(6 * CONNECTIONS * POINTS);
        acknowledgesNoLaneWithTooFewCopies(6 * CONNECTIONS * POINTS);
        assertStored(7 * CONNECTIONS * POINTS);
    }

    @Test
    void nodeWithoutAPortForALaneIsNotRegistered() throws Exception {
        start("q1", "queue_coordinator", 1);
        await().until(() -> ids("queue").equals(List.of("q1-queue")));
        try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            addresses.put("q2", "127.0.0.1:" + (busy.getLocalPort() - 1));
            start("q2", "queue", 2);
            await().until(() -> !nodes.get("q2").isAlive());
        }

        assertThat(status().path("registered").asInt()).isEqualTo(1);

        start("q2", "queue", 1); // the journal of lane 1 was opened, and does not count as used
        await().until(() -> ids("queue").equals(List.of("q1-queue", "q2")));
        assertThat(status().path("registered").asInt()).isEqualTo(2);
    }

    private void replaysTheRecordsOfAllLanes(long points) throws InterruptedException {
        Invocation replay = Invocation.of(
                "replay",
                "--config",
                folder.resolve("q1.yaml").toString(),
                "--from",
                "1",
                "--to",
                status().path("last_cycle").asText(),
                "--wait",
                "--json");

        assertThat(replay.exitCode()).as(replay.err()).isZero();
        JsonNode figures = Json.read("replay", replay.out());
        assertThat(figures.path("points").asLong()).as(replay.out()).isEqualTo(points);
        assertThat(figures.path("accounts").path("points").asLong())
                .as(replay.out())
                .isEqualTo(points);
        assertThat(store.changes()).as("rows with another value").isZero();
    }

    private void startsWithMoreLanes() throws Exception {
        nodes.get("q2").close();
        start("q2", "queue", 3);
        await().until(() -> ids("queue").equals(List.of("q1-queue", "q1-queue.1", "q2", "q2.1", "q2.2")));
        await().until(() -> warnings("q2").contains("Lane 2 is not registered for the queue nodes q1-queue"));
    }

    private void removesALiveNode() throws Exception {
        Invocation remove = Invocation.of("cluster", "remove", "q2", "--http", http.get("q1"));

        assertThat(remove.exitCode()).as(remove.err() + remove.out()).isZero();
        await().until(() -> ids("queue").equals(List.of("q1-queue", "q1-queue.1")));
        await().until(() -> status().path("registered").asInt() == 2);
        nodes.get("q2").close();
    }

    /** The new node has one lane: points of the other lane wait for a second copy, and are in no cycle until then. */
    private void acknowledgesNoLaneWithTooFewCopies(long before) throws Exception {
        data.put("q2", "q2-new");
        start("q2", "queue", 1);
        await().until(() -> ids("queue").equals(List.of("q1-queue", "q1-queue.1", "q2")));
        await().until(() -> warnings("q1").contains("q2 has no lane 1"));

        List<String> answers = sendHttpTogether();
        int accepted = (int) answers.stream()
                .filter(answer -> answer.startsWith("HTTP/1.1 204"))
                .count();
        int waited = (int) answers.stream()
                .filter(answer -> answer.startsWith("HTTP/1.1 503"))
                .count();
        assertThat(accepted + waited).as(answers.toString()).isEqualTo(CONNECTIONS);
        assertThat(waited).as("senders of lane 1").isPositive();
        assertThat(answers.stream().filter(answer -> answer.startsWith("HTTP/1.1 503")))
                .allMatch(answer -> answer.contains("of 2 journals hold the points"));
        awaitPoints(before + (long) accepted * POINTS);

        nodes.get("q2").close();
        start("q2", "queue", 2);
        awaitPoints(before + (long) CONNECTIONS * POINTS);
    }

    private String warnings(String id) throws InterruptedException {
        return client.get("http://" + http.get(id) + "/status");
    }

    private void assertStored(long points) {
        assertThat(stored()).as("points in the rows").isEqualTo((double) points);
        assertThat(store.changes())
                .as("rows that were written again with another value")
                .isZero();
    }

    private void start(String id, String role, int lanes) throws IOException {
        boolean isFirst = id.equals("q1");
        Path file = Files.writeString(folder.resolve(id + ".yaml"), """
                coordinator: { connect: "%s", embedded: { run: %s, address: "%s" } }
                cycle: { every: 300ms }
                queue: { address: "%s", lanes: %d, ring_slots: 32, journal: { max_bytes: 512MiB } }
                processor: { address: "127.0.0.1:0", lanes: 2, ring_slots: 32, max_bytes: 64MiB }
                inputs:
                  influx: { http: "%s"%s }
                pipelines:
                  each: { aggregate: { by: [host], functions: [count] }, stores: [kairos] }
                stores:
                  kairos: { url: "%s" }
                """.formatted(
                        zooKeeper,
                        isFirst ? "always" : "never",
                        zooKeeper,
                        addresses.getOrDefault(id, "127.0.0.1:0"),
                        lanes,
                        isFirst ? inputs.get("http") : otherInput,
                        isFirst ? ", tcp: \"" + inputs.get("tcp") + "\", udp: \"" + inputs.get("udp") + "\"" : "",
                        store.url()));
        List<String> arguments =
                new ArrayList<>(List.of("run", role, "--exit-with-parent", "--config", file.toString()));
        http.computeIfAbsent(id, unseen -> ports.next());
        Map<String, String> settings = Map.of(
                "node.id",
                id,
                "node.host",
                "127.0.0.1",
                "node.data_dir",
                folder.resolve(data.getOrDefault(id, id)).toString(),
                "node.http",
                http.get(id));
        settings.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        nodes.put(
                id,
                ChildProcess.start(
                        "Node " + id,
                        ChimeraHome.find().nodeCommand(JVM, arguments),
                        folder.resolve(id),
                        folder.resolve(id + ".log")));
        if (isFirst) {
            await().until(() -> client.isReady(http.get(id)));
        }
    }

    private boolean ready(String id) throws InterruptedException {
        return client.isReady(http.get(id));
    }

    /** Waits until the inputs of the second lane listen. */
    private void awaitLanes(String id) {
        await().until(() -> Files.readString(folder.resolve(id + ".log")).contains("Inputs of a lane are listening"));
    }

    private void assertEachLaneParsed(String id, double points) throws InterruptedException {
        String page = client.get("http://" + http.get(id) + "/metrics");
        double first = value(page, 0);
        double second = value(page, 1);
        assertThat(first).as("points of lane 0").isPositive();
        assertThat(second).as("points of lane 1").isPositive();
        assertThat(first + second).isEqualTo(points);
    }

    private static double value(String metrics, int lane) {
        return metrics.lines()
                .filter(line ->
                        line.startsWith("chimera_parser_points_total{") && line.contains("lane=\"" + lane + "\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private List<String> ids(String role) throws InterruptedException {
        List<String> ids = new ArrayList<>();
        for (JsonNode member : status().path("members")) {
            if (member.path("role").asText().equals(role)) {
                ids.add(member.path("id").asText());
            }
        }
        ids.sort(null);
        return ids;
    }

    private JsonNode status() throws InterruptedException {
        return client.status(http.get("q1"), "coordinator");
    }

    private long openPoints() throws InterruptedException {
        long points = 0;
        for (JsonNode cycle : status().path("open")) {
            points += cycle.path("points").asLong();
        }
        return points;
    }

    private void awaitPoints(long points) throws InterruptedException {
        await().until(() -> status().path("totals").path("points").asLong() >= points);
        assertThat(status().path("totals").path("points").asLong()).isEqualTo(points);
        assertThat(status().path("unaccounted").asLong(-1)).isZero();
    }

    private double stored() {
        return store.rows().entrySet().stream()
                .filter(row -> row.getKey().startsWith("load.value.count "))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private void sendHttp() throws IOException {
        for (int i = 0; i < CONNECTIONS; i++) {
            try (Socket socket = connect("http")) {
                post(socket, i);
                assertThat(answer(socket)).startsWith("HTTP/1.1 204");
            }
        }
    }

    /** Sends on all connections before the first answer is read. */
    private List<String> sendHttpTogether() throws IOException {
        List<Socket> sockets = new ArrayList<>();
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            sockets.add(connect("http"));
            post(sockets.get(i), i);
        }
        for (Socket socket : sockets) {
            answers.add(answer(socket));
            socket.close();
        }
        return answers;
    }

    private static void post(Socket socket, int connection) throws IOException {
        String body = lines(connection);
        String head = "POST /write HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: " + body.length()
                + "\r\n\r\n";
        socket.getOutputStream().write((head + body).getBytes(US_ASCII));
    }

    private static String answer(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }

    private void sendTcp() throws IOException {
        for (int i = 0; i < CONNECTIONS; i++) {
            try (Socket socket = connect("tcp")) {
                socket.getOutputStream().write(lines(i).getBytes(US_ASCII));
                socket.shutdownOutput();
                assertThat(socket.getInputStream().readAllBytes()).isEmpty();
            }
        }
    }

    private void sendUdp() throws IOException {
        for (int i = 0; i < CONNECTIONS; i++) {
            try (DatagramSocket socket = new DatagramSocket()) {
                byte[] bytes = lines(i).getBytes(US_ASCII);
                socket.send(new DatagramPacket(bytes, bytes.length, address("udp")));
            }
        }
    }

    private Socket connect(String protocol) throws IOException {
        InetSocketAddress address = address(protocol);
        return new Socket(address.getAddress(), address.getPort());
    }

    private InetSocketAddress address(String protocol) {
        String[] parts = inputs.get(protocol).split(":", -1);
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(parts[1]));
    }

    private static String lines(int connection) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < POINTS; i++) {
            lines.append("load,host=h").append(connection).append(" value=1\n");
        }
        return lines.toString();
    }
}
