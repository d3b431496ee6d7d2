package io.chimera.node.launch;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.access.HttpRoute;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Invocation;
import io.chimera.node.watch.NodeClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks every listening port, as reported by the kernel, of a process with all roles: the answer to a client without
 * credentials; and that no secret appears in any output.
 */
@Tag("it")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
final class LockedPortsIT {
    private static final String AGENT = "a9".repeat(32);
    private static final String ADMIN = "d4".repeat(32);

    private final HttpClient http = HttpClient.newHttpClient();
    private Process node;

    @TempDir
    Path folder;

    private Path file;
    private String nodeHttp;
    private String zooKeeper;
    private String queue;
    private String processor;
    private String influx;
    private String influxTcp;
    private String kairos;
    private String kairosTcp;
    private String remoteWrite;

    @BeforeEach
    void start() throws Exception {
        List<String> free = ListeningPorts.free(9);
        nodeHttp = free.get(0);
        zooKeeper = free.get(1);
        queue = free.get(2);
        processor = free.get(3);
        influx = free.get(4);
        influxTcp = free.get(5);
        kairos = free.get(6);
        kairosTcp = free.get(7);
        remoteWrite = free.get(8);
        Files.writeString(folder.resolve("tokens.yaml"), """
            tokens:
              agent: { sha256: %s, roles: [ingest], inputs: [influx] }
              root: { sha256: %s, roles: [admin] }
            """.formatted(sha256(AGENT), sha256(ADMIN)));
        Files.writeString(folder.resolve("admin.token"), ADMIN + "\n");
        file = Files.writeString(folder.resolve("chimera.yaml"), """
            node:
              id: n1
              host: 127.0.0.1
              data_dir: "%s"
              http: "%s"
              tokens: "%s"
              token: ${file:%s}
            coordinator: { embedded: { address: "%s" } }
            queue: { address: "%s", journal: { max_bytes: 256MiB, reserve: 1MiB } }
            processor: { address: "%s" }
            inputs:
              influx: { http: "%s", tcp: "%s", udp: "%s", allow: [192.0.2.0/24] }
              kairosdb: { type: kairosdb, http: "%s", tcp: "%s" }
              prometheus: { type: remote_write, http: "%s" }
            pipelines: { all: { stores: [kairos] } }
            stores: { kairos: {} }
            """.formatted(
                        folder.resolve("data"),
                        nodeHttp,
                        folder.resolve("tokens.yaml"),
                        folder.resolve("admin.token"),
                        zooKeeper,
                        queue,
                        processor,
                        influx,
                        influxTcp,
                        influxTcp,
                        kairos,
                        kairosTcp,
                        remoteWrite));
        node = new ProcessBuilder(ChimeraHome.find()
                        .nodeCommand(List.of("-Xmx256m"), List.of("run", "all", "-c", file.toString())))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        NodeClient client = new NodeClient();
        await().until(() -> client.isReady(nodeHttp));
    }

    @AfterEach
    void stop() throws InterruptedException {
        node.destroyForcibly().waitFor();
    }

    @Test
    void refusesClientsWithoutCredentialsOnEveryPort() throws Exception {
        assertThat(ListeningPorts.of(node, "tcp"))
                .as("every listening port is known to this test")
                .containsExactlyInAnyOrder(
                        nodeHttp, zooKeeper, queue, processor, influx, influxTcp, kairos, kairosTcp, remoteWrite);
        assertThat(ListeningPorts.of(node, "udp")).containsExactly(influxTcp);

        for (HttpRoute route : HttpRoute.values()) {
            String port =
                    switch (route.surface()) {
                        case NODE -> nodeHttp;
                        case INFLUX -> influx;
                        case REMOTE_WRITE -> remoteWrite;
                        default -> kairos;
                    };
            for (String method : List.of("GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD")) {
                int status = send(method, port + route.path(), "", "x").statusCode();
                if (route.role().isPresent()) {
                    assertThat(status).as(method + " " + route).isEqualTo(401);
                }
            }
        }
        assertThat(send("GET", nodeHttp + "/nothing", "", "").statusCode()).isEqualTo(401);
        assertThat(send("POST", influx + "//write", "", "x").statusCode()).isEqualTo(401);
        assertThat(send("GET", nodeHttp + "/health/live", "", "").statusCode()).isEqualTo(200);
        for (String port : List.of(influxTcp, kairosTcp)) {
            assertThat(firstLine(port, "put m 1 1 h=a\n")).startsWith("ERROR");
        }
        datagram(influxTcp, "m value=1");
        for (String port : List.of(queue, processor)) {
            assertThat(ListeningPorts.closesOnGarbage(port))
                    .as("garbage at " + port)
                    .isTrue();
        }
        await().untilAsserted(() ->
                assertThat(metric("chimera_access_datagrams_refused_total")).isEqualTo(1));
        assertThat(metric("chimera_parser_points_total")).isZero();
        assertThat(metric("chimera_access_unauthenticated_total")).isPositive();
    }

    @Test
    void letsPrincipalsDoWhatTheirRolesSayAndShowsNoSecret() throws Exception {
        String line = "m,host=a value=1 1700000000000000000";
        assertThat(send("POST", influx + "/write", "Bearer " + AGENT, line).statusCode())
                .isEqualTo(204);
        assertThat(send("POST", influx + "/write?u=agent&p=" + AGENT, "", line).statusCode())
                .isEqualTo(204);
        assertThat(send("POST", influx + "/api/v2/write", "Token " + AGENT, line)
                        .statusCode())
                .isEqualTo(204);
        assertThat(send("POST", influx + "/api/v2/write?u=agent&p=wrong", "", line)
                        .body())
                .contains("\"code\":\"unauthorized\"");
        assertThat(send("POST", kairos + "/api/v1/datapoints", "Bearer " + AGENT, "[]")
                        .statusCode())
                .isEqualTo(403);
        assertThat(send("GET", nodeHttp + "/status", "Bearer " + AGENT, "").statusCode())
                .isEqualTo(403);
        assertThat(send("POST", nodeHttp + "/-/reload", "Bearer " + AGENT, "").statusCode())
                .isEqualTo(403);
        try (Socket socket = connect(influxTcp)) {
            socket.getOutputStream().write(("auth " + AGENT + "\n" + line + "\n").getBytes(UTF_8));
            await().untilAsserted(() ->
                    assertThat(metric("chimera_parser_points_total")).isEqualTo(4));
        }
        assertThat(send("POST", nodeHttp + "/-/reload", "Bearer " + ADMIN, "").statusCode())
                .isEqualTo(200);
        Invocation status = Invocation.of("cluster", "status", "--http", nodeHttp, "-c", file.toString());
        assertThat(status.out()).contains("n1-queue");

        await().untilAsserted(() -> assertThat(Files.readString(folder.resolve("data/audit.jsonl")))
                .contains("\"action\":\"/-/reload\"", "\"principal\":\"root\""));
        await().untilAsserted(() -> assertThat(Files.readString(folder.resolve("data/audit-refused.jsonl")))
                .contains("\"action\":\"login\"", "wrong credentials"));
        for (String secret : List.of(AGENT, ADMIN)) {
            assertThat(Files.readString(folder.resolve("log"))).doesNotContain(secret);
            assertThat(Files.readString(folder.resolve("data/audit.jsonl"))).doesNotContain(secret);
            assertThat(Files.readString(folder.resolve("data/audit-refused.jsonl")))
                    .doesNotContain(secret);
            assertThat(send("GET", nodeHttp + "/status", "Bearer " + ADMIN, "").body())
                    .doesNotContain(secret);
            assertThat(send("GET", nodeHttp + "/metrics", "Bearer " + ADMIN, "").body())
                    .doesNotContain(secret);
            assertThat(Invocation.of("print-config", "-c", file.toString()).out())
                    .contains("[redacted]")
                    .doesNotContain(secret);
            assertThat(node.info().commandLine().orElse("")).doesNotContain(secret);
            assertThat(zooKeeperTree()).isNotEmpty().doesNotContain(secret);
        }
    }

    private HttpResponse<String> send(String method, String target, String authorization, String body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + target))
                .timeout(Duration.ofSeconds(30))
                .method(
                        method,
                        method.equals("POST") || method.equals("PUT")
                                ? HttpRequest.BodyPublishers.ofString(body)
                                : HttpRequest.BodyPublishers.noBody());
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static Socket connect(String address) throws IOException {
        URI uri = URI.create("tcp://" + address);
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(uri.getHost(), uri.getPort()));
        socket.setSoTimeout(30_000);
        return socket;
    }

    private static String firstLine(String address, String sent) throws IOException {
        try (Socket socket = connect(address)) {
            socket.getOutputStream().write(sent.getBytes(UTF_8));
            return Optional.ofNullable(
                            new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)).readLine())
                    .orElse("");
        }
    }

    private static void datagram(String address, String text) throws IOException {
        URI uri = URI.create("udp://" + address);
        byte[] bytes = text.getBytes(UTF_8);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getByName(uri.getHost()), uri.getPort()));
        }
    }

    private double metric(String name) throws IOException, InterruptedException {
        return send("GET", nodeHttp + "/metrics", "Bearer " + ADMIN, "")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .max()
                .orElse(-1);
    }

    private String zooKeeperTree() throws Exception {
        ZooKeeper client = new ZooKeeper(zooKeeper, 10_000, event -> {});
        try {
            StringBuilder all = new StringBuilder();
            List<String> open = new ArrayList<>(List.of("/"));
            while (!open.isEmpty()) {
                String path = open.remove(open.size() - 1);
                byte[] data = client.getData(path, false, null);
                all.append(path)
                        .append(' ')
                        .append(data == null ? "" : new String(data, UTF_8))
                        .append('\n');
                for (String child : client.getChildren(path, false)) {
                    open.add(path.equals("/") ? "/" + child : path + "/" + child);
                }
            }
            return all.toString();
        } finally {
            client.close();
        }
    }

    private static String sha256(String text) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    }
}
