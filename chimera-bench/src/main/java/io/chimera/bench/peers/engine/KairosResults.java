package io.chimera.bench.peers.engine;

import io.chimera.bench.load.PointSeries;
import io.chimera.bench.load.PointShape;
import io.chimera.bench.load.PointText;
import io.chimera.bench.peers.job.ResultTable;
import io.chimera.common.row.RowNaming;
import io.chimera.node.child.KairosReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** Reads the rows of all cycles from KairosDB as results. */
final class KairosResults {
    private static final List<String> FUNCTIONS = List.of("count", "sum", "min", "max", "mean", "variance");

    /**
     * Margin of the time range, because the time of a cycle is the start of its period; store and benchmark share a
     * clock.
     */
    private static final long MARGIN_MS = 60_000;

    private KairosResults() {}

    /**
     * Reads the results.
     *
     * @param startMs start time of the cluster
     */
    static ResultTable read(KairosReader reader, PointShape shape, long startMs) throws InterruptedException {
        PointSeries series = new PointSeries(shape, PointText.SERIES, PointText.SEED);
        Map<String, String> keys = new HashMap<>();
        for (int i = 0; i < series.count(); i++) {
            keys.put(shape.distinctTagOf(i), series.key(i));
        }
        ResultTable table = new ResultTable();
        for (String field : series.fields()) {
            addField(table, reader, shape, keys, field, startMs);
        }
        return table;
    }

    private static void addField(
            ResultTable table,
            KairosReader reader,
            PointShape shape,
            Map<String, String> keys,
            String field,
            long startMs)
            throws InterruptedException {
        long endMs = System.currentTimeMillis() + MARGIN_MS;
        Map<String, Map<String, SortedMap<Long, Double>>> values = new HashMap<>();
        for (String function : FUNCTIONS) {
            String metric = new RowNaming.Name(shape.metric(), field, function).text();
            values.put(function, reader.byTag(metric, shape.distinctTag(), startMs - MARGIN_MS, endMs));
        }
        values.get("count")
                .forEach(
                        (tag, counts) -> counts.forEach((time, count) -> table.total(keys.getOrDefault(tag, tag), field)
                                .add(
                                        count.longValue(),
                                        value(values, "sum", tag, time),
                                        value(values, "min", tag, time),
                                        value(values, "max", tag, time),
                                        value(values, "mean", tag, time),
                                        value(values, "variance", tag, time))));
    }

    private static double value(
            Map<String, Map<String, SortedMap<Long, Double>>> values, String function, String tag, Long time) {
        SortedMap<Long, Double> rows = values.get(function).get(tag);
        return rows == null ? Double.NaN : rows.getOrDefault(time, Double.NaN);
    }
}
