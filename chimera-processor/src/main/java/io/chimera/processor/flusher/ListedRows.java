package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import java.util.List;

/** Rows of a composition, which are stored without aggregation. */
final class ListedRows implements RowSource {
    private final List<Row> all;
    private int given;

    ListedRows(List<Row> all) {
        this.all = all;
    }

    @Override
    public boolean fill(List<Row> rows, int wanted) {
        int end = Math.min(all.size(), given + Math.max(0, wanted - rows.size()));
        rows.addAll(all.subList(given, end));
        given = end;
        return given < all.size();
    }
}
