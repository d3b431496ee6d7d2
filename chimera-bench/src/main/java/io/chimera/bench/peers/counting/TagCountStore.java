package io.chimera.bench.peers.counting;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.StoreException;
import io.chimera.api.spi.VerifiableStore;
import io.chimera.bench.peers.job.ResultTable;
import io.chimera.bench.peers.job.TagCounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts hashtags: separate counts of the newest cycles for reading back and overwriting, and the sum of all earlier
 * cycles. On close the store writes the totals to the file named by the property of {@link CountingStore}. One thread
 * at a time.
 */
public final class TagCountStore implements VerifiableStore {
    /** Number of windows, as in {@link CountingStore}. */
    private static final int WINDOWS = 8;

    private final Map<Tags, Count> counts = new HashMap<>();

    private static final class Count {
        final long[] timesMs = new long[WINDOWS];
        final Row[] rows = new Row[WINDOWS];
        double before;

        void write(Row row) {
            int place = 0;
            for (int i = 0; i < WINDOWS; i++) {
                if (rows[i] != null && timesMs[i] == row.timeMs()) {
                    rows[i] = row;
                    return;
                }
                place = timesMs[i] < timesMs[place] ? i : place;
            }
            before += rows[place] == null ? 0 : rows[place].asDouble();
            timesMs[place] = row.timeMs();
            rows[place] = row;
        }

        Row read(long timeMs) {
            for (int i = 0; i < WINDOWS; i++) {
                if (rows[i] != null && timesMs[i] == timeMs) {
                    return rows[i];
                }
            }
            return null;
        }

        long total() {
            double total = before;
            for (Row row : rows) {
                total += row == null ? 0 : row.asDouble();
            }
            return (long) total;
        }
    }

    /** Called by the ServiceLoader. */
    public TagCountStore() {}

    @Override
    public String name() {
        return "tag_counts";
    }

    @Override
    public void write(List<Row> rows) throws StoreException {
        for (Row row : rows) {
            counts.computeIfAbsent(row.tags(), absent -> new Count()).write(row);
        }
    }

    @Override
    public List<Row> read(List<Row> written) throws StoreException {
        List<Row> found = new ArrayList<>(written.size());
        for (Row row : written) {
            Count count = counts.get(row.tags());
            Row kept = count == null ? null : count.read(row.timeMs());
            if (kept != null) {
                found.add(kept);
            }
        }
        return found;
    }

    @Override
    public void close() {
        String file = System.getProperty(CountingStore.RESULTS);
        if (counts.isEmpty() || file == null) {
            return; // a configuration check also opens and closes stores
        }
        ResultTable table = new ResultTable();
        counts.forEach((tags, count) -> TagCounts.add(table, tags.asMap().get("tag"), count.total()));
        try {
            table.write(Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
