package io.chimera.node.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.common.error.ChimeraException;
import io.chimera.node.option.DurationConverter;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Removes a queue node from its journal group for good. */
@Command(
        name = "remove",
        description = "Remove a queue node from its journal group for good.%n"
                + "Drains a live node first. Refused if points would be lost with its journal.",
        mixinStandardHelpOptions = true)
final class ClusterRemoveCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "NODE",
            description = "Id of the queue node; with --lost also of a dead lane of a live node.")
    private String node;

    @Mixin
    private HttpOption http = new HttpOption();

    @Option(
            names = "--lost",
            description = "Remove a dead node even if its journal is lost. Without effect on a live node.")
    private boolean lost;

    @Option(
            names = "--within",
            paramLabel = "TIME",
            defaultValue = "10m",
            converter = DurationConverter.class,
            description = "Maximum wait for the drain of a live node. Default: ${DEFAULT-VALUE}.")
    private Duration within;

    @Override
    public Integer call() throws InterruptedException {
        NodeClient client = http.client();
        PrintWriter out = spec.commandLine().getOut();
        Optional<LeavingMember> member =
                LeavingMember.find(client, http.address(), node, Optional.of(MemberRole.QUEUE));
        if (member.isEmpty()) {
            out.println(removeDead(client));
            out.flush();
            return 0;
        }
        if (lost) {
            out.println(node + " is live for the coordinator, so the node is drained: --lost has no effect.");
            out.flush();
        }
        String shortage = shortageWithout(client, member.get().group());
        out.println(member.get().tell("drain?remove=true", afterStop()));
        out.println(shortage + "The removal goes on in the node if this command ends earlier.");
        out.flush();
        member.get().awaitGone(within, out);
        return 0;
    }

    private String removeDead(NodeClient client) throws InterruptedException {
        try {
            String name = URLEncoder.encode(node, StandardCharsets.UTF_8);
            return client.tell(http.address(), "remove?node=" + name + "&lost=" + lost);
        } catch (ChimeraException e) {
            boolean isProcessor = LeavingMember.find(client, http.address(), node, Optional.of(MemberRole.PROCESSOR))
                    .isPresent();
            throw isProcessor
                    ? new ChimeraException(
                            e.category(),
                            e.getMessage() + " The live node " + node
                                    + " is a processor, which needs no removal: use chimera cluster drain.",
                            e)
                    : e;
        }
    }

    /** Returns a sentence about the copies of the group without the node; empty if enough nodes stay. */
    private String shortageWithout(NodeClient client, String group) throws InterruptedException {
        for (JsonNode size : client.status(http.address(), "coordinator").path("groups")) {
            if (size.path("name").asText().equals(group)) {
                return ReplicationPolicy.of(size.path("copies").asInt())
                        .shortageAfterRemoval(group, size.path("nodes").asInt() - 1)
                        .map(shortage -> shortage + " ")
                        .orElse("");
            }
        }
        return "";
    }

    private String afterStop() {
        return "Then " + (lost ? "repeat this command" : "run chimera cluster remove " + node + " again")
                + ": the cluster removes a dead node without a drain"
                + (lost
                        ? ", and --lost gives up points that only its journal has."
                        : ", unless only its journal may have points.");
    }
}
