package io.chimera.node.watch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** Groups with the most values over all processors of a cluster, each processor with its newest cycle. */
final class HeaviestKeys {
    private final List<Key> keys = new ArrayList<>();
    private long points;

    private record Key(String pipeline, String name, long values) {}

    /** Collects the groups from the status of processors. */
    HeaviestKeys(List<ProcessorLook> processors) {
        processors.forEach(processor -> add(processor.status().path("heaviest")));
        keys.sort(Comparator.comparingLong(Key::values).reversed());
    }

    private void add(JsonNode ofProcessor) {
        points += ofProcessor.path("points").asLong();
        for (JsonNode group : ofProcessor.path("groups")) {
            keys.add(new Key(
                    group.path("pipeline").asText(),
                    name(group),
                    group.path("values").asLong()));
        }
    }

    private static String name(JsonNode group) {
        StringJoiner tags = new StringJoiner(",", "{", "}");
        for (Map.Entry<String, JsonNode> tag : group.path("tags").properties()) {
            tags.add(tag.getKey() + "=" + tag.getValue().asText());
        }
        return group.path("metric").asText() + tags;
    }

    /** Formats the heaviest groups, one line each. */
    List<String> lines(int most) {
        return keys.stream()
                .limit(most)
                .map(key -> String.format(
                        Locale.ROOT, "%12d values  %5.1f %%  %s %s", key.values, share(key), key.pipeline, key.name))
                .toList();
    }

    /** Returns the heaviest groups for JSON. */
    List<Map<String, Object>> figures(int most) {
        return keys.stream().limit(most).map(this::figures).toList();
    }

    private Map<String, Object> figures(Key key) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("pipeline", key.pipeline);
        figures.put("key", key.name);
        figures.put("values", key.values);
        figures.put("percent", share(key));
        return figures;
    }

    private double share(Key key) {
        return points == 0 ? 0 : 100.0 * key.values / points;
    }
}
