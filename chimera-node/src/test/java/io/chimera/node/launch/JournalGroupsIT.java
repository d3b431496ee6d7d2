package io.chimera.node.launch;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import io.chimera.node.child.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
    private static final Map<String, String> GROUPS = Map.of("q1", "east", "q2", "east", "q3", "west", "q4", "west");

    @TempDir
    Path folder;

    private NodeProcesses nodes;

    @BeforeEach
    void configure() throws IOException {
        nodes = new NodeProcesses(folder, "c1", "");
    }

    @AfterEach
    void stop() {
        nodes.close();
    }

    @Test
    void countsThePointsOfAllGroupsOnce() throws Exception {
        startCluster();
        assertThat(groups()).containsExactlyInAnyOrderEntriesOf(GROUPS);
        for (String node : GROUPS.keySet()) {
            nodes.send(node, HOSTS);
        }
        nodes.awaitAll();

        nodes.store().acceptOnly(1);
        nodes.send("q1", HOSTS);
        nodes.send("q3", HOSTS);
        await().until(() -> nodes.status().path("open").size() > 0);
        nodes.process("q3").kill();
        nodes.send("q1", HOSTS);
        nodes.store().acceptOnly(Integer.MAX_VALUE);
        nodes.awaitAll();
        startQueue("q3");
        nodes.send("q3", HOSTS);
        nodes.awaitAll();
        nodes.assertStoredOnce();

        replaysAllGroups();
        refusesAnotherGroup();
        retiresAGroup();
        nodes.assertStoredOnce();
    }

    private void replaysAllGroups() throws Exception {
        long cycle = nodes.status().path("last_cycle").asLong();
        Invocation replay = Invocation.of(
                "replay",
                "--config",
                nodes.configuration().toString(),
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
                .isEqualTo(nodes.sent());
    }

    private void refusesAnotherGroup() throws Exception {
        nodes.process("q4").close();
        ChildProcess moved = nodes.launch("q4", "queue", Map.of("queue.group", "east"));
        await().until(() -> !moved.isAlive());
        assertThat(nodes.log("q4")).contains("journal group 'west'", "queue.group: west");
        startQueue("q4");
    }

    private void retiresAGroup() throws Exception {
        nodes.send("q4", HOSTS);
        for (String node : List.of("q3", "q4")) {
            Invocation remove = Invocation.of("cluster", "remove", node, "--http", nodes.http("c1"));
            assertThat(remove.exitCode()).as(remove.err() + remove.out()).isZero();
        }
        await().until(() -> groups().size() == 2);
        nodes.send("q2", HOSTS);
        nodes.awaitAll();
    }

    private void startCluster() throws Exception {
        nodes.start("c1", "coordinator");
        for (String node : List.of("q1", "q2", "q3", "q4")) {
            startQueue(node);
        }
        nodes.start("p1", "processor");
        nodes.start("p2", "processor");
    }

    private void startQueue(String id) throws InterruptedException {
        nodes.start(id, "queue", Map.of("queue.group", GROUPS.get(id)));
    }

    /** Returns the group of each live queue node. */
    private Map<String, String> groups() throws InterruptedException {
        Map<String, String> groups = new LinkedHashMap<>();
        for (JsonNode member : nodes.status().path("members")) {
            if (member.path("role").asText().equals("queue")) {
                groups.put(member.path("id").asText(), member.path("group").asText());
            }
        }
        return groups;
    }
}
