package chimera.examples.csv;

import io.chimera.api.spi.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rows of a CSV file by the value in the first column. Used by one thread. */
final class Table {
    private final String[] columns;
    private final Map<Long, String[]> rows = new HashMap<>();
    private final Map<String, String[]> named = new HashMap<>();

    private Table(String[] columns) {
        this.columns = columns;
    }

    static Table read(Path file) {
        try {
            List<String> lines = Files.readAllLines(file);
            if (lines.isEmpty()) {
                throw new IllegalArgumentException(file + " is empty; its first line names the columns");
            }
            Table table = new Table(cells(lines.get(0)));
            for (String line : lines.subList(1, lines.size())) {
                if (!line.isBlank()) {
                    table.named.put(cells(line)[0], cells(line));
                }
            }
            return table;
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read (" + e + ")", e);
        }
    }

    private static String[] cells(String line) {
        String[] cells = line.split(",", -1);
        for (int i = 0; i < cells.length; i++) {
            cells[i] = cells[i].strip();
        }
        return cells;
    }

    String column(int index) {
        return columns[index];
    }

    /** Returns the row of a value; null without such a row. Repeated values are found by hash, without a string. */
    String[] row(Text value) {
        String[] known = rows.get(value.hash());
        if (known != null && value.is(known[0])) {
            return known;
        }
        String[] found = named.get(value.toString());
        if (found != null) {
            rows.put(value.hash(), found);
        }
        return found;
    }
}
