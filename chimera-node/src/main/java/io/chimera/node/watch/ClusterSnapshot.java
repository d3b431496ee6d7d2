package io.chimera.node.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.CounterDescriptor;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.metrics.QueueCounter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Figures of a cluster at one moment for the live table. Counters are sums over live nodes, so a counter decreases when
 * a node leaves; the coordinator's accounts never decrease.
 *
 * @param cycle last cycle committed together with all earlier cycles
 * @param cycleTimeMs time of this cycle's rows; -1 if the coordinator did not see the commit
 * @param openCycles number of later cycles already begun
 * @param queues number of live queue nodes; each lane counts
 * @param processors number of live processors; each lane counts
 * @param pointsIn points accepted by queue nodes
 * @param rejectedBy bad points by rejecting queue node
 * @param journaled points journaled by queue nodes, without copies from other nodes
 * @param forwarded copies of points sent to processors
 * @param staged points folded by processors
 * @param rowsFlushed rows acknowledged by stores
 * @param commitLatencyMs time of the last cycle from begin to last commit; -1 if unknown
 * @param shardSkew points in the heaviest shard of the last cycle divided by the mean; 1 if unknown
 * @param accounts totals of the coordinator's accounts by name
 * @param waitingFor reason why no cycle begins or an open cycle does not end; empty in normal operation
 * @param alarms warnings for the operator while cycles proceed; empty in normal operation
 * @param change reason why new pipelines have not taken effect; empty without new pipelines
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
        List<String> alarms,
        String change) {
    public ClusterSnapshot {
        alarms = List.copyOf(alarms);
    }

    /** Queries the coordinator and all its members. A member without an answer counts as zero. */
    public static ClusterSnapshot take(NodeClient client, String coordinator) throws InterruptedException {
        JsonNode status = client.status(coordinator, "coordinator");
        Map<String, String> queueNodes = nodesOf(status, "queue");
        List<Map<String, Double>> queues = metricsOf(client, queueNodes.keySet());
        Map<String, Long> rejectedBy = rejected(List.copyOf(queueNodes.values()), queues);
        List<Map<String, Double>> processors =
                metricsOf(client, nodesOf(status, "processor").keySet());
        Map<String, Long> accounts = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> account : status.path("totals").properties()) {
            accounts.put(account.getKey(), account.getValue().asLong());
        }
        return new ClusterSnapshot(
                status.path("last_cycle").asLong(),
                lastCycleTime(status),
                status.path("open").size(),
                count(status, "queue"),
                count(status, "processor"),
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
                sentences(status.path("alarms")),
                status.path("change").asText());
    }

    private static List<String> sentences(JsonNode array) {
        List<String> sentences = new ArrayList<>();
        array.forEach(sentence -> sentences.add(sentence.asText()));
        return sentences;
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

    /** Returns the id of the first lane of each node of a role, by the address that the lanes of a node share. */
    private static Map<String, String> nodesOf(JsonNode status, String role) {
        Map<String, String> nodes = new LinkedHashMap<>();
        for (JsonNode member : status.path("members")) {
            if (member.path("role").asText().equals(role)) {
                nodes.putIfAbsent(
                        member.path("http").asText(), member.path("id").asText());
            }
        }
        return nodes;
    }

    private static int count(JsonNode status, String role) {
        int count = 0;
        for (JsonNode member : status.path("members")) {
            count += member.path("role").asText().equals(role) ? 1 : 0;
        }
        return count;
    }

    private static List<Map<String, Double>> metricsOf(NodeClient client, Collection<String> addresses)
            throws InterruptedException {
        List<Map<String, Double>> all = new ArrayList<>();
        for (String address : addresses) {
            try {
                all.add(client.metrics(address));
            } catch (ChimeraException e) {
                all.add(Map.of()); // the node has just died, and is absent from the next view
            }
        }
        return all;
    }

    private static long sum(List<Map<String, Double>> nodes, CounterDescriptor counter) {
        String name = counter.metricName() + "_total";
        return (long)
                nodes.stream().mapToDouble(node -> node.getOrDefault(name, 0.0)).sum();
    }

    /** Returns a copy with another number of accepted points. */
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
                alarms,
                change);
    }

    /** Returns the number of bad points rejected by queue nodes. */
    public long pointsRefused() {
        return rejectedBy.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns an account; 0 for an unknown name. */
    public long account(String name) {
        return accounts.getOrDefault(name, 0L);
    }

    /** Returns the figures as a map for JSON. */
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
        figures.put("alarms", alarms);
        figures.put("change", change);
        accounts.forEach((name, value) -> figures.put("account_" + name, value));
        return figures;
    }
}
