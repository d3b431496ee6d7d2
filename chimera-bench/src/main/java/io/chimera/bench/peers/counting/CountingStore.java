package io.chimera.bench.peers.counting;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.StoreException;
import io.chimera.api.spi.VerifiableStore;
import io.chimera.bench.peers.job.ResultTable;
import io.chimera.common.row.RowNaming;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Time-series store that keeps rows while they can be read back or overwritten, and only totals of all earlier rows,
 * like the sinks of the peers. A repeated row overwrites the earlier row. On close the store writes the totals of all
 * cycles to the file named by the property {@code chimera.bench.results}. One thread at a time.
 */
public final class CountingStore implements VerifiableStore {
    /** Property with the path of the result file. */
    public static final String RESULTS = "chimera.bench.results";

    private final Map<Tags, Map<String, Place>> places = new HashMap<>();
    private Tags lastTags;
    private Map<String, Place> lastSeries;

    /** Destination of the rows of a metric. */
    private record Place(RowNaming.Name name, FieldWindows windows, int function) {}

    /** Called by the ServiceLoader. */
    public CountingStore() {}

    @Override
    public String name() {
        return "counting";
    }

    @Override
    public void write(List<Row> written) throws StoreException {
        for (Row row : written) {
            Map<String, Place> series = series(row.tags());
            Place place = series.get(row.metric());
            if (place == null) {
                addField(series, row.metric());
                place = series.get(row.metric());
            }
            if (row.isLong() != (place.function == FieldWindows.COUNT)
                    || !place.windows.write(row.timeMs(), place.function, row.bits())) {
                throw new StoreException(row + " has the wrong type, or is too old to be counted.", false, null);
            }
        }
    }

    @Override
    public List<Row> read(List<Row> written) throws StoreException {
        List<Row> found = new ArrayList<>(written.size());
        for (Row row : written) {
            Place place = series(row.tags()).get(row.metric());
            if (place != null && place.windows.holds(row.timeMs(), place.function)) {
                long bits = place.windows.read(row.timeMs(), place.function);
                found.add(new Row(row.metric(), row.tags(), row.timeMs(), place.function == FieldWindows.COUNT, bits));
            }
        }
        return found;
    }

    /** Returns the series of tags. Consecutive rows of a group share their tags object. */
    @SuppressWarnings("ReferenceEquality") // avoids most comparisons; the map finds equal tags
    private Map<String, Place> series(Tags tags) {
        if (tags != lastTags) {
            lastTags = tags;
            lastSeries = places.computeIfAbsent(tags, absent -> new HashMap<>());
        }
        return lastSeries;
    }

    private static void addField(Map<String, Place> series, String metric) throws StoreException {
        RowNaming.Name name = RowNaming.parse(metric)
                .filter(parsed -> FieldWindows.FUNCTIONS.contains(parsed.function()))
                .orElseThrow(() -> new StoreException(metric + " is not a metric.field.function.", false, null));
        FieldWindows windows = new FieldWindows();
        for (int i = 0; i < FieldWindows.FUNCTIONS.size(); i++) {
            RowNaming.Name row = new RowNaming.Name(name.metric(), name.field(), FieldWindows.FUNCTIONS.get(i));
            series.put(row.text(), new Place(row, windows, i));
        }
    }

    @Override
    public void close() {
        String file = System.getProperty(RESULTS);
        if (places.isEmpty() || file == null) {
            return; // a configuration check also opens and closes stores
        }
        try {
            totals().write(Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ResultTable totals() {
        ResultTable table = new ResultTable();
        places.forEach((tags, series) -> series.values().forEach(place -> {
            if (place.function == FieldWindows.COUNT) {
                StringJoiner key = new StringJoiner(",").add(place.name.metric());
                tags.asMap().forEach((name, value) -> key.add(name + "=" + value));
                table.total(key.toString(), place.name.field()).add(place.windows.close());
            }
        }));
        return table;
    }
}
