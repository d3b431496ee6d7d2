package io.chimera.node.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.node.Json;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints members, cycles and accounts as seen by the coordinator. */
@Command(
        name = "status",
        description = "Show members, open cycles and accounts, as seen by a coordinator.",
        mixinStandardHelpOptions = true)
final class ClusterStatusCommand implements Callable<Integer> {
    private static final String MEMBER_ROW = "%-14s %-10s %-10s %-22s %-22s %s%n";

    @Spec
    private CommandSpec spec;

    @Mixin
    private HttpOption http = new HttpOption();

    @Option(names = "--json", description = "Print the coordinator's status as JSON.")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException {
        JsonNode status = http.client().status(http.address(), "coordinator");
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.line(status));
        } else {
            print(status, out);
        }
        out.flush();
        return 0;
    }

    static void print(JsonNode status, PrintWriter out) {
        out.printf(
                "Cluster %s, %s. Coordinator %s leads, epoch %d.%n",
                status.path("cluster").asText(),
                status.path("connected").asBoolean() ? "connected to ZooKeeper" : "NOT connected to ZooKeeper",
                status.path("conductor").asText(),
                status.path("epoch").asLong());
        waiting(status.path("waiting"), out);
        sentence(status.path("problem"), out);
        status.path("alarms").forEach(alarm -> sentence(alarm, out));
        sentence(status.path("change"), out);
        members(status, out);
        cycles(status, out);
        accounts(status, out);
        replays(status, out);
    }

    private static void sentence(JsonNode sentence, PrintWriter out) {
        if (!sentence.asText().isEmpty()) {
            out.println(sentence.asText());
        }
    }

    private static void members(JsonNode status, PrintWriter out) {
        out.printf("%n" + MEMBER_ROW, "NODE", "ROLE", "GROUP", "ADDRESS", "HTTP", "STATE");
        for (JsonNode member : status.path("members")) {
            out.printf(
                    MEMBER_ROW,
                    member.path("id").asText(),
                    member.path("role").asText(),
                    member.path("group").asText(),
                    member.path("address").asText(),
                    member.path("http").asText(),
                    stateOf(member, status.path("registered").asInt()));
        }
        for (JsonNode dead : status.path("dead")) {
            String id = dead.path("id").asText();
            out.printf(MEMBER_ROW, id, "queue", dead.path("group").asText(), "-", "-", "dead");
        }
    }

    private static void waiting(JsonNode waiting, PrintWriter out) {
        if (waiting.isObject()) {
            List<String> nodes = new ArrayList<>();
            waiting.path("nodes").forEach(node -> nodes.add(node.asText()));
            out.printf(
                    "Standstill since %s: cause %s, cycle %d%s. %s.%n",
                    Instant.ofEpochMilli(waiting.path("since_ms").asLong()),
                    waiting.path("cause").asText(),
                    waiting.path("cycle").asLong(),
                    nodes.isEmpty() ? "" : ", nodes " + String.join(", ", nodes),
                    waiting.path("text").asText());
        }
    }

    private static String stateOf(JsonNode member, int registered) {
        if (member.path("excluded").asBoolean()) {
            return "excluded: it " + member.path("difference").asText();
        }
        if (member.path("leaving").asBoolean()) {
            return "leaving";
        }
        boolean mayHoldOnlyCopy = member.path("role").asText().equals("queue")
                && registered > 1
                && !member.path("copied").asBoolean();
        return mayHoldOnlyCopy ? "works, may hold the only copy of points" : "works";
    }

    private static void cycles(JsonNode status, PrintWriter out) {
        out.printf("%n%-10s %12s %8s %10s %10s%n", "OPEN CYCLE", "POINTS", "PARTS", "COMMITTED", "REASSIGNED");
        for (JsonNode cycle : status.path("open")) {
            int committed = 0;
            for (JsonNode shard : cycle.path("shards")) {
                committed += shard.path("committed").asBoolean() ? 1 : 0;
            }
            out.printf(
                    "%-10d %12d %8d %10s %10d%n",
                    cycle.path("cycle").asLong(),
                    cycle.path("points").asLong(),
                    cycle.path("owners").size(),
                    committed + "/" + cycle.path("shards").size(),
                    cycle.path("attempt").asInt());
        }
    }

    private static void accounts(JsonNode status, PrintWriter out) {
        JsonNode totals = status.path("totals");
        out.printf(
                "%nCommitted up to cycle %d: %d points = %d aggregated + %d late + %d rejected + %d filtered; %d rows."
                        + " Unaccounted: %d.%n",
                status.path("last_cycle").asLong(),
                totals.path("points").asLong(),
                totals.path("aggregated").asLong(),
                totals.path("late").asLong(),
                totals.path("rejected").asLong(),
                totals.path("filtered").asLong(),
                totals.path("rows").asLong(),
                status.path("unaccounted").asLong());
    }

    private static void replays(JsonNode status, PrintWriter out) {
        if (status.path("replays").isEmpty()) {
            return;
        }
        out.printf(
                "%n%-28s %-14s %10s %10s %10s %8s %12s%n",
                "REPLAY", "PIPELINE", "FIRST", "LAST", "DONE", "SKIPPED", "POINTS");
        for (JsonNode replay : status.path("replays")) {
            String pipeline = replay.path("pipeline").asText();
            out.printf(
                    "%-28s %-14s %10d %10d %10s %8d %12d%n",
                    replay.path("id").asText(),
                    pipeline.isEmpty() ? "all" : pipeline,
                    replay.path("first").asLong(),
                    replay.path("last").asLong(),
                    replay.path("done").asInt() + "/" + replay.path("cycles").asInt(),
                    replay.path("skipped").asInt(),
                    replay.path("points").asLong());
        }
    }
}
