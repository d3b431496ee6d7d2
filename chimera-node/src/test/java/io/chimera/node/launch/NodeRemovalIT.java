package io.chimera.node.launch;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.chimera.common.agent.Waits;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Invocation;
import io.chimera.node.child.ChildProcess;
import io.chimera.node.child.FreePorts;
import io.chimera.node.load.HttpTarget;
import io.chimera.node.replay.RowCatcher;
import io.chimera.node.watch.NodeClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Removal of killed queue nodes, each in its own process. A node that was alone may have the only copy of its points,
 * so it is removed only after another node has copied them; then it cannot return with its old folder.
 */
@Tag("it")
final class NodeRemovalIT {
    private static final int HOSTS = 100;
    private static final List<String> JVM =
            List.of("-Xmx192m", "-XX:MaxDirectMemorySize=160m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    @TempDir
    Path folder;

    private final NodeClient client = new NodeClient();
    private final FreePorts ports = new FreePorts(12);
    private final RowCatcher store;
    private final Map<String, ChildProcess> nodes = new LinkedHashMap<>();
    private final Map<String, String> http = new LinkedHashMap<>();
    private final Map<String, String> inputs = new LinkedHashMap<>();
    private Path configuration;

    NodeRemovalIT() throws IOException {
        store = new RowCatcher();
    }

    @AfterEach
    void stop() {
        List<ChildProcess> all = new ArrayList<>(nodes.values());
        Collections.reverse(all);
        all.forEach(ChildProcess::close);
        store.close();
    }

    @Test
    void removesADeadNodeOnlyWhenItsPointsAreCopied() throws Exception {
        configure();
        start("c1", "coordinator");
        start("q1", "queue");
        send("q1");
        kill("q1");
        start("q2", "queue");
        Invocation refused = remove("q1");
        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.err()).contains("only copy");

        start("q1", "queue");
        start("p1", "processor");
        await().until(() -> points() >= HOSTS); // a node is refused only after a cycle has begun
        await().until(() -> isCopied("q1"));
        kill("q1");
        await().until(() -> remove("q1").exitCode() == 0);

        ChildProcess returning = child("q1", "queue");
        await().until(() -> log("q1").contains("was removed from the cluster"));
        returning.close();
        IoUtil.delete(folder.resolve("q1").toFile(), false);
        start("q1", "queue");
        await().until(() -> points() >= HOSTS);
        assertThat(points()).isEqualTo(HOSTS);
    }

    private void configure() throws IOException {
        String zooKeeper = ports.next();
        configuration =
                Files.writeString(folder.resolve("chimera.yaml"), """
            coordinator: { connect: "%s", embedded: { run: always, address: "%s" }, session_timeout: 2s }
            cycle: { every: 300ms }
            queue: { ring_slots: 4, journal: { max_bytes: 512MiB } }
            processor: { ring_slots: 4, max_bytes: 32MiB }
            inputs:
              influx: { http: "127.0.0.1:0" }
            pipelines:
              each: { aggregate: { by: [host], functions: [count, sum] }, stores: [kairos] }
            stores:
              kairos: { url: "%s" }
            """.formatted(zooKeeper, zooKeeper, store.url()));
    }

    private void start(String id, String role) throws InterruptedException {
        child(id, role).awaitReady(() -> client.isReady(http.get(id)));
    }

    private ChildProcess child(String id, String role) {
        http.computeIfAbsent(id, unknown -> ports.next());
        inputs.computeIfAbsent(id, unknown -> ports.next());
        List<String> arguments =
                new ArrayList<>(List.of("run", role, "--exit-with-parent", "--config", configuration.toString()));
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("node.id", id);
        settings.put("node.host", "127.0.0.1");
        settings.put("node.data_dir", folder.resolve(id).toString());
        settings.put("node.http", http.get(id));
        settings.put("queue.address", "127.0.0.1:0");
        settings.put("processor.address", "127.0.0.1:0");
        settings.put("inputs.influx.http", inputs.get(id));
        settings.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        ChildProcess child = ChildProcess.start(
                "Node " + id,
                ChimeraHome.find().nodeCommand(JVM, arguments),
                folder.resolve(id),
                folder.resolve(id + ".log"));
        nodes.put(id, child);
        return child;
    }

    /** Kills a node and waits until the cluster has noticed it. */
    private void kill(String id) throws InterruptedException {
        nodes.get(id).kill();
        await().until(() -> !isLive(id));
    }

    private Invocation remove(String id) {
        return Invocation.of("cluster", "remove", id, "--http", http.get("c1"));
    }

    private void send(String node) throws IOException, InterruptedException {
        StringBuilder lines = new StringBuilder();
        for (int host = 0; host < HOSTS; host++) {
            lines.append("load,host=h").append(host).append(" value=1\n");
        }
        HttpTarget target = new HttpTarget(
                URI.create("http://" + inputs.get(node) + "/write"), "text/plain", Waits.MAX, new AtomicLong());
        assertThat(target.send(lines.toString().getBytes(US_ASCII))).isZero();
    }

    private JsonNode status() throws InterruptedException {
        return client.status(http.get("c1"), "coordinator");
    }

    private boolean isLive(String id) throws InterruptedException {
        return !member(id).isMissingNode();
    }

    private boolean isCopied(String id) throws InterruptedException {
        return member(id).path("copied").asBoolean();
    }

    private JsonNode member(String id) throws InterruptedException {
        for (JsonNode member : status().path("members")) {
            if (member.path("id").asText().equals(id)) {
                return member;
            }
        }
        return MissingNode.getInstance();
    }

    private long points() throws InterruptedException {
        return status().path("totals").path("points").asLong();
    }

    private String log(String id) throws IOException {
        return Files.readString(folder.resolve(id + ".log"));
    }
}
