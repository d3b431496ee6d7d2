package io.chimera.node.launch;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.node.Invocation;
import io.chimera.node.child.ChildProcess;
import java.nio.file.Path;
import java.util.Map;
import org.agrona.IoUtil;
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

    /** The test waits several times until the session of a killed node has expired. */
    private static final Map<String, String> SETTINGS = Map.of("coordinator.session_timeout", "2s");

    @TempDir
    Path folder;

    @Test
    void removesADeadNodeOnlyWhenItsPointsAreCopied() throws Exception {
        try (NodeProcesses nodes = new NodeProcesses(folder, "c1", "")) {
            nodes.start("c1", "coordinator", SETTINGS);
            nodes.start("q1", "queue", SETTINGS);
            nodes.send("q1", HOSTS);
            kill(nodes, "q1");
            nodes.start("q2", "queue", SETTINGS);
            Invocation refused = remove(nodes, "q1");
            assertThat(refused.exitCode()).isNotZero();
            assertThat(refused.err()).contains("only copy");

            nodes.start("q1", "queue", SETTINGS);
            nodes.start("p1", "processor", SETTINGS);
            nodes.awaitAll();
            await().until(() -> nodes.member("q1").path("copied").asBoolean());
            kill(nodes, "q1");
            await().until(() -> remove(nodes, "q1").exitCode() == 0);

            ChildProcess returning = nodes.launch("q1", "queue", SETTINGS);
            await().until(() -> nodes.log("q1").contains("was removed from the cluster"));
            returning.close();
            IoUtil.delete(folder.resolve("q1").toFile(), false);
            nodes.start("q1", "queue", SETTINGS);
            nodes.awaitAll();
        }
    }

    /** Kills a node and waits until the cluster has noticed it. */
    private static void kill(NodeProcesses nodes, String id) throws InterruptedException {
        nodes.process(id).kill();
        await().until(() -> nodes.member(id).isMissingNode());
    }

    private static Invocation remove(NodeProcesses nodes, String id) {
        return Invocation.of("cluster", "remove", id, "--http", nodes.http("c1"));
    }
}
