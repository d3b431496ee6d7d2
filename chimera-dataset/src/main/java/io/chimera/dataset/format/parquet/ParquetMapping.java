package io.chimera.dataset.format.parquet;

import io.chimera.api.spi.PointSink;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Columns of a Parquet object that make up a data point. Other columns are not read.
 *
 * <p>The time column has a timestamp type of any unit, the type date, the old INT96, or is an integer with
 * {@code timeUnit}. Times without a time zone count as UTC. Tag columns are text. A field column is an integer, an
 * unsigned integer, a float, a double, a boolean, text, or a decimal with at most 18 digits, which becomes a double; a
 * field of a time type keeps the integer as stored. A row without a value leaves the tag or the field out, as does a
 * row with an empty text for a tag.
 *
 * @param metric name of the metric for all rows; null when {@code metricColumn} names the column
 * @param metricColumn path of the text column with the metric; null when {@code metric} names the metric
 * @param timeColumn path of the column with the time
 * @param timeUnit unit of an integer column without a timestamp type, since 1970; null when the column has a timestamp
 *     type
 * @param tags columns that become tags
 * @param fields columns that become fields, at least one
 */
public record ParquetMapping(
        @Nullable String metric,
        @Nullable String metricColumn,
        String timeColumn,
        @Nullable TimeUnit timeUnit,
        List<ParquetColumn> tags,
        List<ParquetColumn> fields) {
    /**
     * Checks the columns.
     *
     * @param metric name of the metric, or null
     * @param metricColumn column with the metric, or null
     * @param timeColumn column with the time
     * @param timeUnit unit of the time, or null
     * @param tags columns that become tags
     * @param fields columns that become fields
     */
    public ParquetMapping {
        tags = List.copyOf(tags);
        fields = List.copyOf(fields);
        if ((metric == null) == (metricColumn == null)) {
            throw new IllegalArgumentException("metric " + metric + " and metric column " + metricColumn
                    + "; expected either the name of the metric or the column with the name");
        }
        if (metric != null && metric.isEmpty()) {
            throw new IllegalArgumentException("the metric is empty; expected the name of the metric");
        }
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("no field column; expected at least one");
        }
        if (tags.size() > PointSink.TAGS_MAX) {
            throw new IllegalArgumentException(tags.size() + " tag columns; expected at most " + PointSink.TAGS_MAX);
        }
        checkDistinct(tags, "tag");
        checkDistinct(fields, "field");
        Set<String> seen = new HashSet<>();
        for (String path : pathsOf(metricColumn, timeColumn, tags, fields)) {
            if (path.isEmpty() || !seen.add(path)) {
                throw new IllegalArgumentException(
                        "column \"" + path + "\" is mapped twice or has no name; expected each column once");
            }
        }
    }

    /**
     * Returns the paths of all mapped columns: the metric, if it is a column, then time, tags and fields in the order
     * of the mapping.
     */
    List<String> paths() {
        return pathsOf(metricColumn, timeColumn, tags, fields);
    }

    private static List<String> pathsOf(
            @Nullable String metricColumn, String timeColumn, List<ParquetColumn> tags, List<ParquetColumn> fields) {
        List<String> paths = new ArrayList<>();
        if (metricColumn != null) {
            paths.add(metricColumn);
        }
        paths.add(timeColumn);
        tags.forEach(tag -> paths.add(tag.path()));
        fields.forEach(field -> paths.add(field.path()));
        return paths;
    }

    private static void checkDistinct(List<ParquetColumn> columns, String kind) {
        Set<String> names = new HashSet<>();
        for (ParquetColumn column : columns) {
            if (!names.add(column.name())) {
                throw new IllegalArgumentException("two columns are mapped to the " + kind + " " + column.name());
            }
        }
    }
}
