package io.chimera.node.watch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** State rebuilds on processors; cycles of the pipelines wait for their end. */
final class Rebuilds {
    private final List<Map<String, Object>> all = new ArrayList<>();

    /** Collects the rebuilds from the status of processors. */
    Rebuilds(List<ProcessorLook> processors) {
        for (ProcessorLook processor : processors) {
            for (JsonNode one : processor.status().path("rebuilding")) {
                Map<String, Object> figures = new LinkedHashMap<>();
                figures.put("processor", processor.id());
                figures.put("pipeline", one.path("pipeline").asText());
                for (String figure : List.of("partitions", "cycles_done", "cycles_left", "age_ms")) {
                    figures.put(figure, one.path(figure).asLong());
                }
                all.add(figures);
            }
        }
    }

    /** Formats the rebuilds, one line each. */
    List<String> lines() {
        return all.stream()
                .map(one -> String.format(
                        Locale.ROOT,
                        "    rebuilding on %s: %s partitions of %s, %s past cycles done, %s left, for %.1f s",
                        one.get("processor"),
                        one.get("partitions"),
                        one.get("pipeline"),
                        one.get("cycles_done"),
                        one.get("cycles_left"),
                        (long) one.get("age_ms") / 1e3))
                .toList();
    }

    /** Returns the rebuilds for JSON. */
    List<Map<String, Object>> figures() {
        return all;
    }
}
