package io.chimera.apps.node.watch;

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
            "Has all live nodes read their configurations and plugins again. Other pipelines are in force from one cycle on, once all"
                    + " nodes hold them.",
            "When a node refuses, the coordinator is not told, and cycles go on with the pipelines of before."
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
                    "The coordinator at " + http.address() + " does not lead, "
                            + status.path("conductor").asText() + " does; name that one with --http host:port.");
        }
        Map<String, String> members = new LinkedHashMap<>();
        status.path("members")
                .forEach(member -> members.put(
                        member.path("id").asText(), member.path("http").asText()));
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
                            + " cannot take it up, so the coordinator was not told. Correct what they name, and reload again.");
        }
        out.println("coordinator: " + client.tell(http.address(), RELOAD));
        out.flush();
        return 0;
    }
}
