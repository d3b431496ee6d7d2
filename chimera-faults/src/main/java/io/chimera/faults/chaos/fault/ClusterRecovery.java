package io.chimera.faults.chaos.fault;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.faults.chaos.cluster.ChaosCluster;
import io.chimera.faults.chaos.cluster.Role;
import io.chimera.node.Json;
import io.chimera.node.watch.NodeClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Rebuilds ZooKeeper's data like an operator, with {@code chimera cluster recover}. One thread. */
final class ClusterRecovery {
    private static final String COMMAND = "chimera cluster recover";
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final long LOOK_MS = 500;

    private final ChaosCluster cluster;

    ClusterRecovery(ChaosCluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Waits until a coordinator's readiness names the command, and until a dry run has a plan without refusals, then
     * writes the plan.
     *
     * @throws ChimeraException on a time-out; contains the output of the last step
     */
    void run() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        awaitReadiness(deadline);
        List<String> refused = List.of("not asked yet");
        while (!refused.isEmpty()) {
            JsonNode plan = recover(List.of());
            refused = texts(plan.path("refusals"));
            if (plan.path("written").asBoolean() || !plan.path("needed").asBoolean()) {
                throw new ChimeraException(
                        Category.ERROR,
                        "The dry run of '" + COMMAND + "' wrote the tree, or reported no need for a recovery: " + plan);
            }
            check(deadline, "'" + COMMAND + "' refuses: " + refused);
        }
        JsonNode done = recover(List.of("--yes"));
        if (!done.path("written").asBoolean()) {
            throw new ChimeraException(Category.ERROR, "'" + COMMAND + " --yes' wrote nothing: " + done);
        }
    }

    private void awaitReadiness(long deadline) throws InterruptedException {
        NodeClient client = cluster.client(TIMEOUT);
        String reasons = "";
        while (!reasons.contains(COMMAND)) {
            check(deadline, "No coordinator names '" + COMMAND + "' in its readiness: " + reasons);
            Thread.sleep(LOOK_MS);
            List<String> all = new ArrayList<>();
            for (String coordinator : cluster.coordinators()) {
                all.add(client.reasons(coordinator));
            }
            reasons = String.join("; ", all);
        }
    }

    private JsonNode recover(List<String> more) throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                "cluster", "recover", "--config", cluster.configurationFile().toString(), "--json"));
        arguments.addAll(more);
        try {
            return Json.read(
                    COMMAND, cluster.run(cluster.hosts(Role.COORDINATOR).get(0), arguments));
        } catch (ChimeraException e) {
            Thread.sleep(LOOK_MS);
            return Json.read(
                    COMMAND, "{\"needed\":true,\"refusals\":[" + Json.line(String.valueOf(e.getMessage())) + "]}");
        }
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return texts;
    }

    private static void check(long deadline, String failure) {
        if (System.nanoTime() - deadline > 0) {
            throw new ChimeraException(Category.ERROR, failure);
        }
    }
}
