package io.chimera.dataset.definition;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import java.util.Map;

/** Columns of a point. A column is a name of the header, or keys with dots between them. */
public record MappingConfig(
        @Doc("Metric of all points; or set metric_column.") @Default
        String metric,

        @Doc("Column with the metric.") @Default String metricColumn,

        @Doc("Column with the time.") String time,

        @Doc("Format of the time: s, ms, us, ns, iso, or a pattern; for parquet the unit of a whole number, and empty"
                + " for a column with a type of time.")
        @Default
        String timeFormat,

        @Doc("Columns by the names of tags.") @Default Map<String, String> tags,

        @Doc("Columns by the names of fields.") Map<String, Field> fields) {
    /** Column of a field. */
    public record Field(
            @Doc("The column.") String column,

            @Doc("Type of the values: double, long, boolean or text; not for parquet.") @Default("double")
            Type type) {}

    /** Type of a field. */
    public enum Type {
        /** Floating-point number. */
        DOUBLE,
        /** Whole number. */
        LONG,
        /** Truth value. */
        BOOLEAN,
        /** Text. */
        TEXT
    }

    /** Checks the values. */
    public MappingConfig {
        new Requirements()
                .that(
                        metric.isEmpty() != metricColumn.isEmpty(),
                        "metric",
                        metric.isEmpty() ? "not given" : "given with metric_column",
                        "either metric or metric_column")
                .that(!fields.isEmpty(), "fields", "empty", "at least one field")
                .check();
    }
}
