package io.chimera.processor.flusher;

import io.chimera.common.row.RowNaming;
import io.chimera.processor.pipeline.Function;
import java.util.ArrayList;
import java.util.List;

/**
 * Caches metrics of rows. Consecutive groups mostly have the same fields in the same order and share the cached texts.
 * The flusher's thread.
 */
final class RowNames {
    /** Maximum number of cached fields per group; the names of further fields are built for every group. */
    private static final int PLACES_MAX = 256;

    private final RowNaming naming;
    private final List<Function> functions;
    private final List<Field> fields = new ArrayList<>();

    private record Field(String metric, String name, List<String> rows) {}

    RowNames(RowNaming naming, List<Function> functions) {
        this.naming = naming;
        this.functions = functions;
    }

    /**
     * Returns the names of the rows of a field, a name for each function.
     *
     * @param place index of the field within its group, from 0
     */
    List<String> of(String metric, String field, int place) {
        if (place < fields.size()) {
            Field last = fields.get(place);
            if (last.name.equals(field) && last.metric.equals(metric)) {
                return last.rows;
            }
        }
        List<String> rows = functions.stream()
                .map(function -> naming.metric(metric, field, function.name()))
                .toList();
        Field made = new Field(metric, field, rows);
        if (place < fields.size()) {
            fields.set(place, made);
        } else if (place < PLACES_MAX) {
            fields.add(made);
        }
        return rows;
    }
}
