package io.chimera.processor.flusher;

import io.chimera.processor.Function;
import java.util.ArrayList;
import java.util.List;

/**
 * Names of the metrics of rows, {@code <metric>.<field>.<function>}. Groups that follow each other mostly have the same fields
 * in the same places; they share the names then, which are not put together anew for every row. The flusher's thread.
 */
final class RowNames {
    /** Fields of a group that share names; what a group has beyond costs its own. */
    private static final int PLACES_MAX = 256;

    private final List<Function> functions;
    private final List<Field> fields = new ArrayList<>();

    private record Field(String metric, String name, List<String> rows) {}

    RowNames(List<Function> functions) {
        this.functions = functions;
    }

    /**
     * Names of the rows of a field, one for each function.
     *
     * @param place of the field among those of its group, from 0 on
     */
    List<String> of(String metric, String field, int place) {
        if (place < fields.size()) {
            Field last = fields.get(place);
            if (last.name.equals(field) && last.metric.equals(metric)) {
                return last.rows;
            }
        }
        String prefix = metric + '.' + field + '.';
        List<String> rows =
                functions.stream().map(function -> prefix + function.name()).toList();
        Field made = new Field(metric, field, rows);
        if (place < fields.size()) {
            fields.set(place, made);
        } else if (place < PLACES_MAX) {
            fields.add(made);
        }
        return rows;
    }
}
