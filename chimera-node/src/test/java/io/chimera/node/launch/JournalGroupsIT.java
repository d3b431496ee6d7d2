package io.chimera.node.launch;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.agent.Waits;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two journal groups of two queue nodes and two processors, each node in its own process: a queue node is killed with
 * open cycles, a past cycle of both groups is replayed, and a whole group retires while the other group goes on.
 */
@Tag("it")
final class JournalGroupsIT {
    private static final int HOSTS = 200;
    private static final List<String> JVM =
            List.of("-Xmx192m", "-XX:MaxDirectMemorySize=160m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    private static final Map<String, String> GROUPS = Map.of("q1", "east", "q2", "east", "q3", "west", "q4", "west");

    @TempDir
    Path folder;

    private final NodeClient client = new NodeClient();
    private final FreePorts ports = new FreePorts(24);
    private final RowCatcher store;
    private final Map<String, ChildProcess> nodes = new LinkedHashMap<>();
    private final Map<String, String> http = new LinkedHashMap<>();
    private final Map<String, String> inputs = new LinkedHashMap<>();
    private Path configuration;
    private long sent;

    JournalGroupsIT() throws IOException {
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
    void countsThePointsOfAllGroupsOnce() throws Exception {
        startCluster();
        assertThat(groups())
                .containsExactlyInAnyOrderEntriesOf(Map.of("q1", "east", "q2", "east", "q3", "west", "q4", "west"));
        for (String node : GROUPS.keySet()) {
            send(node);
        }
        awaitAll();

        store.acceptOnly(1);
        send("q1");
        send("q3");
        await().until(() -> status().path("open").size() > 0);
        nodes.get("q3").kill();
        send("q1");
        store.acceptOnly(Integer.MAX_VALUE);
        awaitAll();
        start("q3", "queue");
        send("q3");
        awaitAll();
        assertThat(stored()).as("points in the rows").isEqualTo((double) sent);
        assertThat(store.changes()).as("rows written again with another value").isZero();

        replaysAllGroups();
        refusesAnotherGroup();
        retiresAGroup();
        assertThat(stored()).as("points in the rows").isEqualTo((double) sent);
        assertThat(store.changes()).as("rows written again with another value").isZero();
    }

    private void replaysAllGroups() throws Exception {
        long cycle = status().path("last_cycle").asLong();
        Invocation replay = Invocation.of(
                "replay",
                "--config",
                configuration.toString(),
                "--from",
                "1",
                "--to",
                String.valueOf(cycle),
                "--wait",
                "--json");

        assertThat(replay.exitCode()).as(replay.err()).isZero();
        JsonNode figures = Json.read("replay", replay.out());
        assertThat(figures.path("accounts").path("points").asLong())
                .as(replay.out())
                .isEqualTo(sent);
    }

    private void refusesAnotherGroup() throws Exception {
        nodes.get("q4").close();
        ChildProcess moved = child("q4", "queue", "east");
        await().until(() -> !moved.isAlive());
        assertThat(Files.readString(folder.resolve("q4.log"))).contains("journal group 'west'", "queue.group: west");
        start("q4", "queue");
    }

    private void retiresAGroup() throws Exception {
        send("q4");
        for (String node : List.of("q3", "q4")) {
            Invocation remove = Invocation.of("cluster", "remove", node, "--http", http.get("c1"));
            assertThat(remove.exitCode()).as(remove.err() + remove.out()).isZero();
        }
        await().until(() -> groups().size() == 2);
        send("q2");
        awaitAll();
    }

    private void startCluster() throws Exception {
        String zooKeeper = ports.next();
        configuration =
                Files.writeString(folder.resolve("chimera.yaml"), """
            coordinator: { connect: "%s", embedded: { run: always, address: "%s" } }
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
        start("c1", "coordinator");
        for (String node : List.of("q1", "q2", "q3", "q4")) {
            start(node, "queue");
        }
        start("p1", "processor");
        start("p2", "processor");
    }

    private void start(String id, String role) throws InterruptedException {
        ChildProcess child = child(id, role, GROUPS.getOrDefault(id, "main"));
        child.awaitReady(() -> client.isReady(http.get(id)));
    }

    private ChildProcess child(String id, String role, String group) {
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
        settings.put("queue.group", group);
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

    private void send(String node) throws IOException, InterruptedException {
        StringBuilder lines = new StringBuilder();
        for (int host = 0; host < HOSTS; host++) {
            lines.append("load,host=h").append(host).append(" value=1\n");
        }
        HttpTarget target = new HttpTarget(
                URI.create("http://" + inputs.get(node) + "/write"), "text/plain", Waits.MAX, new AtomicLong());
        assertThat(target.send(lines.toString().getBytes(US_ASCII))).isZero();
        sent += HOSTS;
    }

    private void awaitAll() throws InterruptedException {
        await().until(() -> status().path("totals").path("points").asLong() >= sent);
        assertThat(status().path("totals").path("points").asLong()).isEqualTo(sent);
        assertThat(status().path("unaccounted").asLong(-1)).isZero();
    }

    private JsonNode status() throws InterruptedException {
        return client.status(http.get("c1"), "coordinator");
    }

    /** Returns the group of each live queue node. */
    private Map<String, String> groups() throws InterruptedException {
        Map<String, String> groups = new LinkedHashMap<>();
        for (JsonNode member : status().path("members")) {
            if (member.path("role").asText().equals("queue")) {
                groups.put(member.path("id").asText(), member.path("group").asText());
            }
        }
        return groups;
    }

    private double stored() {
        return store.rows().entrySet().stream()
                .filter(row -> row.getKey().startsWith("load.value.count "))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }
}
