package io.chimera.faults.chaos.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.api.model.Row;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.ArchiveQuery;
import io.chimera.archive.query.answer.PointQuery;
import io.chimera.archive.server.volume.Volume;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.faults.chaos.access.ClientAccess;
import io.chimera.node.Json;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Queries archives for the rows of the load, and merges the answers like any client of several archives: a row in two
 * volumes counts once, with the value of the last write. Also checks that both volumes have the same value, and that
 * each answer contains a row only once. One thread, used once.
 */
public final class ArchivedRows {
    private static final String QUESTION = "metric=" + StoredRows.COUNT + " or metric=" + StoredRows.SUM;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final long NS_PER_S = 1_000_000_000L;

    private final Map<RowId, Written> rows = new HashMap<>();
    private final List<String> contradictions = new ArrayList<>();
    private long inSeveral;

    private record RowId(String metric, String key, long timeMs) {}

    private record Written(String archive, long writtenNs, double value) {}

    /** Creates an empty result. */
    public ArchivedRows() {}

    /**
     * Queries a running processor.
     *
     * @param address host:port of its HTTP port
     * @param access security settings of the client
     * @throws ChimeraException when the processor does not answer
     */
    public void askProcessor(String address, ClientAccess access) throws InterruptedException {
        HttpRequest question = access.request(address, "/query?format=json")
                .timeout(TIMEOUT)
                .POST(HttpRequest.BodyPublishers.ofString(QUESTION))
                .build();
        try {
            HttpResponse<String> answer = access.client(TIMEOUT).send(question, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new ChimeraException(
                        Category.ERROR,
                        "The archive at " + address + " answered " + answer.statusCode() + ": " + answer.body());
            }
            answer.body().lines().forEach(line -> takeLine(address, line));
        } catch (IOException e) {
            throw new ChimeraException(Category.ERROR, "The archive at " + address + " does not answer: " + e + ".", e);
        }
    }

    /** Handles a line of an answer: a row, or the summary. */
    void takeLine(String archive, String line) {
        JsonNode json = Json.read(archive, line);
        if (json.has("metric")) {
            take(
                    archive,
                    new RowId(
                            json.path("metric").asText(),
                            json.path("tags").path(LoadValues.TAG).asText(),
                            Instant.parse(json.path("time").asText()).toEpochMilli()),
                    ns(Instant.parse(json.path("written").asText())),
                    json.path("value").asDouble());
        } else {
            damaged(
                    archive,
                    // an answer without the number is incomplete
                    json.path("query").path("intervals_damaged").asLong(1),
                    json.path("query").path("damage").asText(line));
        }
    }

    private static long ns(Instant time) {
        return time.getEpochSecond() * NS_PER_S + time.getNano();
    }

    /** Queries a volume without an open process. */
    public void askVolume(Path device) {
        String archive = device.toString();
        try (Volume volume = Volume.openToAsk(List.of(archive), new SystemClock());
                ArchiveQuery<?> query = volume.ask(Question.parse(QUESTION, 0))) {
            while (query.next()) {
                PointQuery point = (PointQuery) query;
                Row row = point.row();
                String key = row.tags().get(LoadValues.TAG);
                take(archive, new RowId(row.metric(), key, row.timeMs()), point.writtenNs(), row.asDouble());
            }
            damaged(archive, query.progress().damaged(), query.progress().damage());
        }
    }

    private void take(String archive, RowId id, long writtenNs, double value) {
        Written before = rows.get(id);
        if (before == null) {
            rows.put(id, new Written(archive, writtenNs, value));
            return;
        }
        if (before.archive.equals(archive)) {
            contradictions.add(archive + " has two rows of " + id + ".");
        } else if (before.value != value) {
            contradictions.add(
                    id + " is " + before.value + " in " + before.archive + ", and " + value + " in " + archive + ".");
        }
        inSeveral++;
        if (writtenNs > before.writtenNs) {
            rows.put(id, new Written(archive, writtenNs, value));
        }
    }

    private void damaged(String archive, long intervals, String damage) {
        if (intervals > 0) {
            contradictions.add(archive + " has " + intervals + " intervals that are damaged: " + damage);
        }
    }

    /** Returns the number of rows found in more than one archive. */
    public long inSeveral() {
        return inSeveral;
    }

    /** Returns the merged rows of all archives. */
    public StoredRows merged() {
        return new StoredRows(of(StoredRows.COUNT), of(StoredRows.SUM), List.copyOf(contradictions));
    }

    private Map<String, SortedMap<Long, Double>> of(String metric) {
        Map<String, SortedMap<Long, Double>> all = new HashMap<>();
        rows.forEach((id, row) -> {
            if (id.metric.equals(metric)) {
                all.computeIfAbsent(id.key, unseen -> new TreeMap<>()).put(id.timeMs, row.value);
            }
        });
        return all;
    }
}
