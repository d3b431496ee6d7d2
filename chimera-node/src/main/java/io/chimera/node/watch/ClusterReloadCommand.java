package io.chimera.node.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Reloads configuration and plugins of all members. The coordinator reloads last, because it decides when the new
 * pipelines take effect.
 */
@Command(
        name = "reload",
        description = {
            "Reload configuration and plugins on all live nodes.",
            "New pipelines take effect at one cycle, once all nodes have loaded them. If a node refuses, the"
                    + " coordinator is not reloaded, and the previous pipelines stay in force."
        },
        mixinStandardHelpOptions = true)
final class ClusterReloadCommand implements Callable<Integer> {
    private static final String RELOAD = "reload";

    @Spec
    private CommandSpec spec;

    @Mixin
    private HttpOption http = new HttpOption();

    @Override
    public Integer call() throws InterruptedException {
        NodeClient client = http.client();
        PrintWriter out = spec.commandLine().getOut();
        JsonNode status = client.status(http.address(), "coordinator");
        if (!status.path("leading").asBoolean()) {
            throw new ChimeraException(
                    Category.ERROR,
                    "The coordinator at " + http.address() + " is not the leader, "
                            + status.path("conductor").asText() + " is. Name the leader with --http host:port.");
        }
        Map<String, String> members = new LinkedHashMap<>();
        for (JsonNode member : status.path("members")) {
            String address = member.path("http").asText();
            if (!members.containsValue(address)) { // all members of a process reload together
                members.put(member.path("id").asText(), address);
            }
        }
        List<String> refusing = new ArrayList<>();
        for (Map.Entry<String, String> member : members.entrySet()) {
            try {
                out.println(member.getKey() + ": " + client.tell(member.getValue(), RELOAD));
            } catch (ChimeraException e) {
                out.println(member.getKey() + ": " + e.getMessage());
                refusing.add(member.getKey());
            }
            out.flush();
        }
        if (!refusing.isEmpty()) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Nothing changes: " + String.join(", ", refusing)
                            + " refused the reload, so the coordinator was not reloaded. Correct the reported problems"
                            + " and retry.");
        }
        out.println("coordinator: " + client.tell(http.address(), RELOAD));
        out.flush();
        return 0;
    }
}
