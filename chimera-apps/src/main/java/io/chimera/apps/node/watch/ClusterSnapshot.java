package io.chimera.apps.node.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.CounterDescriptor;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.metrics.QueueCounter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A cluster at one moment, in the numbers of the live table. Counters are those of the nodes that live now: they fall
 * when a node goes; the accounts of the coordinator never do.
 *
 * @param cycle last cycle that is committed with all before it
 * @param cycleTimeMs time of the rows of that cycle; -1 when the coordinator did not see its commit
 * @param openCycles cycles begun after it
 * @param queues live queue nodes
 * @param processors live processors
 * @param pointsIn points that the queue nodes accepted
 * @param rejectedBy bad points that each queue node rejected, by its name
 * @param journaled points that these nodes journaled, copies of others not counted
 * @param forwarded copies of points sent to processors
 * @param staged points folded by processors
 * @param rowsFlushed rows that stores acknowledged
 * @param commitLatencyMs time of the last cycle from begin to last commit; -1 when not known
 * @param shardSkew points in the heaviest shard of the last cycle over those in its mean shard; 1 when not known
 * @param accounts what the coordinator has accounted for, by name
 * @param waitingFor why no cycle begins, or an open cycle does not end; empty when cycles do
 * @param alarm what the operator must know although cycles begin; empty when all is well
 * @param change why other pipelines than those in force are wanted and not taken up; empty when none are
 */
public record ClusterSnapshot(
        long cycle,
        long cycleTimeMs,
        int openCycles,
        int queues,
        int processors,
        long pointsIn,
        Map<String, Long> rejectedBy,
        long journaled,
        long forwarded,
        long staged,
        long rowsFlushed,
        long commitLatencyMs,
        double shardSkew,
        Map<String, Long> accounts,
        String waitingFor,
        String alarm,
        String change) {

    /** Asks the coordinator, and every member that it names. A member that does not answer counts nothing. */
    public static ClusterSnapshot take(NodeClient client, String coordinator) throws InterruptedException {
        JsonNode status = client.status(coordinator, "coordinator");
        List<String> queueNodes = membersOf(status, "queue");
        List<String> processorNodes = membersOf(status, "processor");
        List<Map<String, Double>> queues = metricsOf(client, queueNodes);
        Map<String, Long> rejectedBy = rejected(namesOf(status, "queue"), queues);
        List<Map<String, Double>> processors = metricsOf(client, processorNodes);
        Map<String, Long> accounts = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> account : status.path("totals").properties()) {
            accounts.put(account.getKey(), account.getValue().asLong());
        }
        return new ClusterSnapshot(
                status.path("last_cycle").asLong(),
                lastCycleTime(status),
                status.path("open").size(),
                queueNodes.size(),
                processorNodes.size(),
                sum(queues, QueueCounter.PARSER_POINTS),
                rejectedBy,
                sum(queues, QueueCounter.JOURNAL_POINTS),
                sum(queues, QueueCounter.DISPATCH_POINTS),
                sum(processors, ProcessorCounter.STAGING_POINTS),
                sum(processors, ProcessorCounter.FLUSHER_ROWS),
                status.path("last_commit_latency_ms").asLong(-1),
                skew(status.path("committed")),
                accounts,
                status.path("waiting").path("text").asText(),
                status.path("alarm").asText(),
                status.path("change").asText());
    }

    private static long lastCycleTime(JsonNode status) {
        for (JsonNode cycle : status.path("committed")) {
            if (cycle.path("cycle").asLong() == status.path("last_cycle").asLong()) {
                return cycle.path("time_ms").asLong();
            }
        }
        return -1;
    }

    private static double skew(JsonNode committed) {
        return committed.path(committed.size() - 1).path("skew").asDouble(1);
    }

    private static Map<String, Long> rejected(List<String> names, List<Map<String, Double>> metrics) {
        Map<String, Long> rejected = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            rejected.put(names.get(i), sum(List.of(metrics.get(i)), QueueCounter.PARSER_POINTS_REJECTED));
        }
        return rejected;
    }

    private static List<String> membersOf(JsonNode status, String role) {
        return ofMembers(status, role, "http");
    }

    private static List<String> namesOf(JsonNode status, String role) {
        return ofMembers(status, role, "id");
    }

    private static List<String> ofMembers(JsonNode status, String role, String property) {
        List<String> values = new ArrayList<>();
        for (JsonNode member : status.path("members")) {
            if (member.path("role").asText().equals(role)) {
                values.add(member.path(property).asText());
            }
        }
        return values;
    }

    private static List<Map<String, Double>> metricsOf(NodeClient client, List<String> addresses)
            throws InterruptedException {
        List<Map<String, Double>> all = new ArrayList<>();
        for (String address : addresses) {
            try {
                all.add(client.metrics(address));
            } catch (ChimeraException e) {
                all.add(Map.of()); // it died a moment ago; the next view will not name it
            }
        }
        return all;
    }

    private static long sum(List<Map<String, Double>> nodes, CounterDescriptor counter) {
        String name = counter.metricName() + "_total";
        return (long)
                nodes.stream().mapToDouble(node -> node.getOrDefault(name, 0.0)).sum();
    }

    /** The same with another number of points that the queue nodes accepted. */
    public ClusterSnapshot accepting(long newPointsIn) {
        return new ClusterSnapshot(
                cycle,
                cycleTimeMs,
                openCycles,
                queues,
                processors,
                newPointsIn,
                rejectedBy,
                journaled,
                forwarded,
                staged,
                rowsFlushed,
                commitLatencyMs,
                shardSkew,
                accounts,
                waitingFor,
                alarm,
                change);
    }

    /** Bad points that the queue nodes rejected. */
    public long pointsRefused() {
        return rejectedBy.values().stream().mapToLong(Long::longValue).sum();
    }

    /** One of the accounts; 0 when there is none of that name. */
    public long account(String name) {
        return accounts.getOrDefault(name, 0L);
    }

    /** Names and numbers for JSON. */
    public Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("cycle", cycle);
        figures.put("open_cycles", openCycles);
        figures.put("queues", queues);
        figures.put("processors", processors);
        figures.put("points_in", pointsIn);
        figures.put("points_refused", pointsRefused());
        figures.put("points_refused_by", rejectedBy);
        figures.put("points_journaled", journaled);
        figures.put("points_forwarded", forwarded);
        figures.put("points_staged", staged);
        figures.put("rows_flushed", rowsFlushed);
        figures.put("commit_latency_ms", commitLatencyMs);
        figures.put("shard_skew", shardSkew);
        figures.put("alarm", alarm);
        figures.put("change", change);
        accounts.forEach((name, value) -> figures.put("account_" + name, value));
        return figures;
    }
}
