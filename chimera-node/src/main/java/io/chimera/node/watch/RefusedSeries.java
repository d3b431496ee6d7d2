package io.chimera.node.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/** Inputs that currently refuse new series, over all queue nodes of a cluster, with the tags of highest cardinality. */
final class RefusedSeries {
    private final List<Refusing> inputs = new ArrayList<>();

    /** Input that refuses new series. */
    private record Refusing(String node, String input, JsonNode series) {}

    private RefusedSeries() {}

    /** Queries the coordinator for the queue nodes, and each queue node. Skips a node without an answer. */
    static RefusedSeries take(NodeClient client, String coordinator) throws InterruptedException {
        RefusedSeries all = new RefusedSeries();
        Set<String> asked = new HashSet<>(); // the lanes of a node share an address
        for (JsonNode member : client.status(coordinator, "coordinator").path("members")) {
            if (member.path("role").asText().equals("queue")
                    && asked.add(member.path("http").asText())) {
                try {
                    all.add(
                            member.path("id").asText(),
                            client.status(member.path("http").asText(), "queue"));
                } catch (ChimeraException e) {
                    // the node has just died, and is absent from the next view
                }
            }
        }
        return all;
    }

    private void add(String node, JsonNode status) {
        for (Map.Entry<String, JsonNode> input : status.path("series").properties()) {
            if (!input.getValue().path("reason").asText().isEmpty()) {
                inputs.add(new Refusing(node, input.getKey(), input.getValue()));
            }
        }
    }

    /** Formats the inputs, one line each. */
    List<String> lines() {
        return inputs.stream()
                .map(refusing -> refusing.node + " " + refusing.input + " refuses new series: known="
                        + refusing.series.path("known").asLong() + " refused="
                        + refusing.series.path("refused").asLong() + " tags=" + tags(refusing.series))
                .toList();
    }

    private static String tags(JsonNode series) {
        StringJoiner tags = new StringJoiner(",", "{", "}");
        for (Map.Entry<String, JsonNode> tag : series.path("tags").properties()) {
            tags.add(tag.getKey() + ":" + tag.getValue().asLong());
        }
        return tags.toString();
    }

    /** Returns the inputs for JSON. */
    List<Map<String, Object>> figures() {
        return inputs.stream()
                .map(refusing -> {
                    Map<String, Object> figures = new LinkedHashMap<>();
                    figures.put("node", refusing.node);
                    figures.put("input", refusing.input);
                    figures.put("series", refusing.series);
                    return figures;
                })
                .toList();
    }
}
