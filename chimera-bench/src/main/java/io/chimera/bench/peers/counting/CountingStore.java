package io.chimera.bench.peers.counting;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.StoreException;
import io.chimera.api.spi.VerifiableStore;
import io.chimera.bench.peers.job.ResultTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Keeps rows in memory as a store of time series does (a row written twice overwrites itself) and writes the totals of
 * all cycles to the file that the property {@code chimera.bench.results} names when it is closed. One thread at a time.
 */
public final class CountingStore implements VerifiableStore {
    /** Names the file. */
    public static final String RESULTS = "chimera.bench.results";

    private final Map<Tags, Map<String, Map<Long, Row>>> rows = new HashMap<>();
    private Tags lastTags;
    private Map<String, Map<Long, Row>> lastSeries;

    /** For the ServiceLoader. */
    public CountingStore() {}

    @Override
    public String name() {
        return "counting";
    }

    @Override
    public void write(List<Row> written) throws StoreException {
        for (Row row : written) {
            series(row.tags())
                    .computeIfAbsent(row.metric(), absent -> new HashMap<>())
                    .put(row.timeMs(), row);
        }
    }

    @Override
    public List<Row> read(List<Row> written) throws StoreException {
        List<Row> found = new ArrayList<>(written.size());
        for (Row row : written) {
            Map<Long, Row> times = series(row.tags()).get(row.metric());
            Row stored = times == null ? null : times.get(row.timeMs());
            if (stored != null) {
                found.add(stored);
            }
        }
        return found;
    }

    /** The rows of a group follow each other and share their tags. */
    @SuppressWarnings("ReferenceEquality") // spares comparing all of them; equal ones are found in the map
    private Map<String, Map<Long, Row>> series(Tags tags) {
        if (tags != lastTags) {
            lastTags = tags;
            lastSeries = rows.computeIfAbsent(tags, absent -> new HashMap<>());
        }
        return lastSeries;
    }

    @Override
    public void close() {
        String file = System.getProperty(RESULTS);
        if (rows.isEmpty() || file == null) {
            return; // a check of the configuration opens and closes stores, too
        }
        try {
            totals().write(Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ResultTable totals() {
        ResultTable table = new ResultTable();
        rows.forEach((tags, metrics) -> metrics.forEach((metric, counts) -> {
            if (metric.endsWith(".count")) {
                addField(table, tags, metrics, metric.substring(0, metric.length() - ".count".length()), counts);
            }
        }));
        return table;
    }

    private static void addField(
            ResultTable table, Tags tags, Map<String, Map<Long, Row>> metrics, String field, Map<Long, Row> counts) {
        int dot = field.lastIndexOf('.');
        StringJoiner key = new StringJoiner(",");
        key.add(field.substring(0, dot));
        tags.asMap().forEach((name, value) -> key.add(name + "=" + value));
        counts.forEach((time, count) -> table.total(key.toString(), field.substring(dot + 1))
                .add(
                        count.bits(),
                        value(metrics, field + ".sum", time),
                        value(metrics, field + ".min", time),
                        value(metrics, field + ".max", time),
                        value(metrics, field + ".mean", time),
                        value(metrics, field + ".variance", time)));
    }

    private static double value(Map<String, Map<Long, Row>> metrics, String metric, Long time) {
        Row row = metrics.getOrDefault(metric, Map.of()).get(time);
        return row == null ? Double.NaN : row.asDouble();
    }
}
