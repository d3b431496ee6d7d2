package io.chimera.node.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Says why a job has failed whose events were all rejected: mostly, the format in the job is wrong. */
final class RejectedAll {
    private static final ObjectMapper JSON = new ObjectMapper();

    private RejectedAll() {}

    /**
     * Returns the failure of a job.
     *
     * @param accepted number of accepted events
     * @param rejected number of rejected events
     * @param kept file with the first rejected events
     * @return number of events, and their most frequent reason with an example; empty unless all events were rejected
     * @throws IOException when the file cannot be read
     */
    static Optional<String> failure(long accepted, long rejected, Path kept) throws IOException {
        if (rejected == 0 || accepted > 0) {
            return Optional.empty();
        }
        return Optional.of("all " + rejected + " events were rejected" + reason(kept)
                + "; correct the format of the job. The first rejected events: " + kept);
    }

    private static String reason(Path kept) throws IOException {
        Map<String, List<JsonNode>> byReason = new LinkedHashMap<>();
        int count = 0;
        try (InputStream in = Files.newInputStream(kept);
                var events = JSON.readerFor(JsonNode.class).<JsonNode>readValues(in)) {
            while (events.hasNextValue()) {
                JsonNode event = events.nextValue();
                byReason.computeIfAbsent(event.path("reason").asText(), reason -> new ArrayList<>())
                        .add(event);
                count++;
            }
        }
        List<JsonNode> most = byReason.values().stream()
                .reduce((one, other) -> other.size() > one.size() ? other : one)
                .orElse(List.of());
        if (most.isEmpty()) {
            return "";
        }
        JsonNode first = most.get(0);
        return ", " + most.size() + " of the first " + count + " because: "
                + first.path("reason").asText() + ", as in line "
                + first.path("line").asLong() + " of "
                + first.path("object").asText() + ": " + first.path("text").asText();
    }

    /** Returns the exception of a job with such a failure. */
    static ChimeraException exception(String job, String failure) {
        return new ChimeraException(Category.ERROR, "Job " + job + " failed: " + failure);
    }
}
