package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import io.chimera.api.model.RowOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Gives the rows of a shard in the order of their identity, because the order of a hash table differs between attempts.
 * The memory is bounded: a pass over the shard selects the next rows of the order, so a shard with n times the selected
 * rows takes n passes. The flusher's thread.
 */
@NullMarked
final class SortedRows implements RowSource {
    /** Rows selected by a pass; at 300 bytes 15 MB, and twice as much during the pass. */
    static final int SELECTED_MAX = 50_000;

    private static final int BATCH_ROWS = 10_000;

    private final Supplier<RowSource> passes;
    private final int selectedMax;
    private List<Row> selected = List.of();
    private int given;
    private boolean hasMore = true;
    private @Nullable Row last;

    /**
     * Creates a source before its first pass.
     *
     * @param passes gives a source of the unsorted rows for each pass
     * @param selectedMax maximum number of rows selected by a pass
     */
    SortedRows(Supplier<RowSource> passes, int selectedMax) {
        this.passes = passes;
        this.selectedMax = selectedMax;
    }

    @Override
    public boolean fill(List<Row> rows, int wanted) {
        while (rows.size() < wanted && hasNext()) {
            int end = Math.min(selected.size(), given + wanted - rows.size());
            rows.addAll(selected.subList(given, end));
            given = end;
        }
        return hasNext();
    }

    private boolean hasNext() {
        if (given == selected.size() && hasMore) {
            select();
        }
        return given < selected.size();
    }

    private void select() {
        List<Row> candidates = new ArrayList<>();
        List<Row> batch = new ArrayList<>();
        RowSource pass = passes.get();
        @Nullable Row bound = null;
        hasMore = false;
        boolean isLast = false;
        while (!isLast) {
            batch.clear();
            isLast = !pass.fill(batch, BATCH_ROWS);
            for (Row row : batch) {
                if (last != null && RowOrder.BY_IDENTITY.compare(row, last) <= 0) {
                    continue;
                }
                if (bound != null && RowOrder.BY_IDENTITY.compare(row, bound) > 0) {
                    continue;
                }
                candidates.add(row);
                if (candidates.size() == 2 * selectedMax) {
                    bound = cut(candidates);
                }
            }
        }
        cut(candidates);
        selected = candidates;
        given = 0;
        last = candidates.isEmpty() ? last : candidates.get(candidates.size() - 1);
    }

    /** Sorts the candidates, keeps the first rows, and returns the last kept row. */
    private @Nullable Row cut(List<Row> candidates) {
        candidates.sort(RowOrder.BY_IDENTITY);
        if (candidates.size() > selectedMax) {
            candidates.subList(selectedMax, candidates.size()).clear();
            hasMore = true;
        }
        return candidates.isEmpty() ? null : candidates.get(candidates.size() - 1);
    }
}
