package io.chimera.dataset.format.text;

import io.chimera.api.spi.PointSink;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Mapping of rows to points: a row of CSV, or a line of JSON. The format defines the reference of a column: a name of
 * the header, a number from 1, or keys with dots between them.
 *
 * @param metric metric of the points
 * @param time column with the time; null to use the time of arrival of the sink
 * @param tags columns with tags, at most 64
 * @param fields columns with fields, at least one
 */
public record RowMapping(MetricName metric, @Nullable TimeColumn time, List<TagColumn> tags, List<FieldColumn> fields) {
    /**
     * Copies the lists and checks the names.
     *
     * @param metric metric of the points
     * @param time column with the time, or null
     * @param tags columns with tags
     * @param fields columns with fields
     */
    public RowMapping {
        tags = List.copyOf(tags);
        fields = List.copyOf(fields);
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("mapping without a field; expected at least one");
        }
        if (tags.size() > PointSink.TAGS_MAX) {
            throw new IllegalArgumentException(
                    "mapping with " + tags.size() + " tags; expected at most " + PointSink.TAGS_MAX);
        }
        checkNames("tag", tags.stream().map(TagColumn::name).toList());
        checkNames("field", fields.stream().map(FieldColumn::name).toList());
    }

    private static void checkNames(String kind, List<String> names) {
        Set<String> seen = new LinkedHashSet<>();
        for (String name : names) {
            if (name.isEmpty() || !seen.add(name)) {
                throw new IllegalArgumentException(
                        kind + " \"" + name + "\" in a mapping; expected different names with at least one letter");
            }
        }
    }

    /** Returns the references of all columns, each once. */
    List<String> columns() {
        return Stream.of(
                        Stream.of(metric.isColumn() ? metric.text() : null, time == null ? null : time.column()),
                        tags.stream().map(TagColumn::column),
                        fields.stream().map(FieldColumn::column))
                .flatMap(columns -> columns)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }
}
