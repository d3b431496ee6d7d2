package io.chimera.processor.store.kairosdb;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.kairosdb.client.HttpClient;
import org.kairosdb.client.builder.DataFormatException;
import org.kairosdb.client.builder.DataPoint;
import org.kairosdb.client.builder.QueryBuilder;
import org.kairosdb.client.builder.QueryMetric;
import org.kairosdb.client.builder.grouper.TagGrouper;
import org.kairosdb.client.response.GroupResult;
import org.kairosdb.client.response.QueryResult;
import org.kairosdb.client.response.Result;
import org.kairosdb.client.response.grouping.TagGroupResult;

/**
 * Reads rows of one time back from KairosDB. A query covers several metrics, each grouped by all tags of its rows.
 *
 * <p>KairosDB shows neither the type of a number nor tags absent from the query, so several series can return as a
 * single series. A row then counts as stored if any value of the series equals the value of the row. One thread.
 */
final class RowReader {
    /** Rows per query: about 2 MB of answer. A metric with more rows is queried whole. */
    private static final int QUERY_ROWS = 10_000;

    /**
     * Maximum number of metrics per query. H2 scans all series for each metric, which takes 3 ms with 12,000 series, so
     * the limit bounds the time of a query.
     */
    private static final int QUERY_METRICS = 200;

    private final HttpClient client;
    private final Map<Series, List<Row>> wanted = new HashMap<>();
    private final List<Row> found = new ArrayList<>();

    private record Series(String metric, Tags tags) {}

    RowReader(HttpClient client) {
        this.client = client;
    }

    /** Returns the stored rows in place of the given rows; rows without a stored value are left out. */
    List<Row> read(List<Row> rows) throws DataFormatException {
        Map<String, List<Row>> byMetric = new TreeMap<>();
        rows.forEach(row -> byMetric.computeIfAbsent(row.metric(), metric -> new ArrayList<>())
                .add(row));
        Map<String, List<Row>> asked = new TreeMap<>();
        int count = 0;
        for (Map.Entry<String, List<Row>> metric : byMetric.entrySet()) {
            asked.put(metric.getKey(), metric.getValue());
            count += metric.getValue().size();
            if (count >= QUERY_ROWS || asked.size() == QUERY_METRICS) {
                ask(asked);
                asked.clear();
                count = 0;
            }
        }
        if (count > 0) {
            ask(asked);
        }
        return found;
    }

    @SuppressWarnings("JavaUtilDate") // the client takes no other time
    private void ask(Map<String, List<Row>> metrics) throws DataFormatException {
        Date time = new Date(metrics.values().iterator().next().get(0).timeMs());
        QueryBuilder query = QueryBuilder.getInstance();
        query.setStart(time).setEnd(time);
        wanted.clear();
        metrics.forEach((metric, rows) -> {
            TreeSet<String> tags = new TreeSet<>();
            for (Row row : rows) {
                tags.addAll(row.tags().asMap().keySet());
                wanted.computeIfAbsent(new Series(metric, row.tags()), series -> new ArrayList<>(1))
                        .add(row);
            }
            QueryMetric asked = query.addMetric(metric);
            asked.addGrouper(new TagGrouper(tags.toArray(new String[0])));
            asked.setExcludeTags(true); // the groups name the tags
        });
        for (QueryResult result : client.query(query).getQueries()) {
            for (Result series : result.getResults()) {
                take(series);
            }
        }
    }

    private void take(Result series) throws DataFormatException {
        List<Row> rows = wanted.getOrDefault(new Series(series.getName(), tags(series)), List.of());
        for (Row row : rows) {
            Row shown = null;
            for (DataPoint point : series.getDataPoints()) {
                if (point.getTimestamp() == row.timeMs() && (shown == null || !isSame(shown, row))) {
                    shown = shown(row, point);
                }
            }
            if (shown != null) {
                found.add(shown);
            }
        }
    }

    private static Tags tags(Result series) {
        Map<String, String> tags = new TreeMap<>();
        for (GroupResult group : series.getGroupResults()) {
            if (group instanceof TagGroupResult byTags) {
                tags.putAll(byTags.getGroup());
            }
        }
        tags.values().removeIf(String::isEmpty); // a series without the tag; no tag of KairosDB is empty
        return Tags.of(tags);
    }

    private static Row shown(Row row, DataPoint point) throws DataFormatException {
        return row.isLong()
                ? Row.ofLong(row.metric(), row.tags(), row.timeMs(), point.longValue())
                : Row.ofDouble(row.metric(), row.tags(), row.timeMs(), point.doubleValue());
    }

    private static boolean isSame(Row one, Row other) {
        return one.isLong() ? one.bits() == other.bits() : one.asDouble() == other.asDouble();
    }
}
