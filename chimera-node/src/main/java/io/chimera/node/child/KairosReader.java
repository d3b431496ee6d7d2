package io.chimera.node.child;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.node.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads rows back from KairosDB over its REST API. */
public final class KairosReader {
    /**
     * Time range of one query. With 2,000 series and a cycle every 5 s, ten minutes of one metric are 240,000 values:
     * about 6 MB.
     */
    private static final long SLICE_MS = Duration.ofMinutes(10).toMillis();

    private static final int METRICS_PER_QUERY = 10;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();
    private final String base;

    /** Creates a reader for a server. */
    public KairosReader(String address) {
        base = "http://" + address + "/api/v1/";
    }

    /**
     * Summary of the rows read.
     *
     * @param rows number of rows
     * @param sums sum of the values by metric
     * @param counts number of rows by metric
     */
    public record Read(long rows, Map<String, Double> sums, Map<String, Long> counts) {
        /** Returns the number of rows of a metric. */
        public long count(String metric) {
            return counts.getOrDefault(metric, 0L);
        }

        /** Returns the sum of a metric; 0 without rows. */
        public double sum(String metric) {
            return sums.getOrDefault(metric, 0.0);
        }
    }

    /** Whether the server answers its health check. */
    public boolean isReady() throws InterruptedException {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(base + "health/check"))
                    .timeout(TIMEOUT)
                    .build();
            return client.send(request, BodyHandlers.discarding()).statusCode() == 204;
        } catch (IOException e) {
            return false;
        }
    }

    /** Reads every row of every metric between two inclusive times. */
    public Read readAll(long fromMs, long toMs) throws InterruptedException {
        List<String> names = metricNames();
        long rows = 0;
        Map<String, Double> sums = new LinkedHashMap<>();
        Map<String, Long> counts = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i += METRICS_PER_QUERY) {
            List<String> batch = names.subList(i, Math.min(names.size(), i + METRICS_PER_QUERY));
            for (long from = fromMs; from <= toMs; from += SLICE_MS) {
                List<Map<String, Object>> metrics = batch.stream()
                        .map(name -> Map.<String, Object>of("name", name))
                        .toList();
                JsonNode answer = query(from, Math.min(toMs, from + SLICE_MS - 1), metrics);
                for (JsonNode metric : answer.path("queries")) {
                    for (JsonNode result : metric.path("results")) {
                        rows += result.path("values").size();
                        counts.merge(
                                result.path("name").asText(),
                                (long) result.path("values").size(),
                                Long::sum);
                        sums.merge(result.path("name").asText(), sumOf(result.path("values")), Double::sum);
                    }
                }
            }
        }
        return new Read(rows, sums, counts);
    }

    /** Returns the values of one series as pairs of time and value. */
    public List<double[]> series(String metric, Map<String, String> tags, long fromMs, long toMs)
            throws InterruptedException {
        Map<String, List<String>> wanted = new LinkedHashMap<>();
        tags.forEach((name, value) -> wanted.put(name, List.of(value)));
        JsonNode answer = query(fromMs, toMs, List.of(Map.of("name", metric, "tags", wanted)));
        List<double[]> values = new ArrayList<>();
        for (JsonNode pair : answer.at("/queries/0/results/0/values")) {
            values.add(new double[] {pair.get(0).asDouble(), pair.get(1).asDouble()});
        }
        return values;
    }

    /**
     * Returns the values of one metric grouped by a tag: for each tag value, the rows by time in milliseconds.
     *
     * @throws ChimeraException when a series has two values at the same time, a violation of the store's contract
     */
    public Map<String, SortedMap<Long, Double>> byTag(String metric, String tag, long fromMs, long toMs)
            throws InterruptedException {
        Map<String, SortedMap<Long, Double>> all = new LinkedHashMap<>();
        Map<String, Object> wanted =
                Map.of("name", metric, "group_by", List.of(Map.of("name", "tag", "tags", List.of(tag))));
        for (long from = fromMs; from <= toMs; from += SLICE_MS) {
            JsonNode answer = query(from, Math.min(toMs, from + SLICE_MS - 1), List.of(wanted));
            for (JsonNode result : answer.at("/queries/0/results")) {
                if (!result.path("values").isEmpty()) {
                    String name = result.at("/tags/" + tag + "/0").asText();
                    addAll(all.computeIfAbsent(name, unseen -> new TreeMap<>()), metric + " of " + name, result);
                }
            }
        }
        return all;
    }

    private static void addAll(SortedMap<Long, Double> rows, String series, JsonNode result) {
        for (JsonNode pair : result.path("values")) {
            if (rows.put(pair.get(0).asLong(), pair.get(1).asDouble()) != null) {
                throw new ChimeraException(
                        Category.ERROR, "KairosDB has two rows of " + series + " at " + pair.get(0) + ".");
            }
        }
    }

    private static double sumOf(JsonNode values) {
        double sum = 0;
        for (JsonNode pair : values) {
            sum += pair.get(1).asDouble();
        }
        return sum;
    }

    private List<String> metricNames() throws InterruptedException {
        List<String> names = new ArrayList<>();
        JsonNode answer = send(HttpRequest.newBuilder(URI.create(base + "metricnames"))
                .timeout(TIMEOUT)
                .build());
        for (JsonNode name : answer.path("results")) {
            if (!name.asText().startsWith("kairosdb.")) {
                names.add(name.asText());
            }
        }
        return names;
    }

    private JsonNode query(long fromMs, long toMs, List<Map<String, Object>> metrics) throws InterruptedException {
        Map<String, Object> query = new LinkedHashMap<>();
        query.put("start_absolute", fromMs);
        query.put("end_absolute", toMs);
        query.put("metrics", metrics);
        return send(HttpRequest.newBuilder(URI.create(base + "datapoints/query"))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(Json.line(query)))
                .build());
    }

    private JsonNode send(HttpRequest request) throws InterruptedException {
        try {
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new ChimeraException(
                        Category.ERROR, request.uri() + " answered " + answer.statusCode() + ": " + answer.body());
            }
            return Json.read(request.uri().toString(), answer.body());
        } catch (IOException e) {
            throw new ChimeraException(Category.ERROR, "No answer from KairosDB at " + base + ": " + e + ".", e);
        }
    }
}
