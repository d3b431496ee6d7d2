package io.chimera.bench.peers.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Counting sink: totals over all windows per key and field, written to a file at the end for the comparison of engines.
 * Any thread.
 */
public final class ResultTable {
    private static final int COLUMNS = 8;

    private final Map<String, Map<String, FieldTotal>> totals = new HashMap<>();

    /** Creates an empty table. */
    public ResultTable() {}

    /** Adds the result of a key in a window. */
    public synchronized void add(WindowResult result) {
        for (int i = 0; i < result.fields.length; i++) {
            total(result.key, result.fields[i])
                    .add(
                            result.count,
                            result.sums[i],
                            result.least[i],
                            result.greatest[i],
                            result.means[i],
                            result.variances[i]);
        }
    }

    /** Returns the total of a field of a key, created if missing. */
    public synchronized FieldTotal total(String key, String field) {
        return totals.computeIfAbsent(key, absent -> new HashMap<>())
                .computeIfAbsent(field, absent -> new FieldTotal());
    }

    /** Returns the totals by key and field. */
    public synchronized Map<String, Map<String, FieldTotal>> totals() {
        return totals;
    }

    /** Adds another table. */
    public synchronized void add(ResultTable other) {
        other.totals.forEach((key, fields) ->
                fields.forEach((field, total) -> total(key, field).add(total)));
    }

    /** Writes the table, one line per key and field. */
    public synchronized void write(Path file) throws IOException {
        try (BufferedWriter writer = Files.newBufferedWriter(file, UTF_8)) {
            for (Map.Entry<String, Map<String, FieldTotal>> key : totals.entrySet()) {
                for (Map.Entry<String, FieldTotal> field : key.getValue().entrySet()) {
                    FieldTotal total = field.getValue();
                    writer.write(String.join(
                            "\t",
                            key.getKey(),
                            field.getKey(),
                            Long.toString(total.count()),
                            Double.toString(total.sum()),
                            Double.toString(total.least()),
                            Double.toString(total.greatest()),
                            Double.toString(total.mean()),
                            Double.toString(total.variance())));
                    writer.newLine();
                }
            }
        }
    }

    /**
     * Reads a table written by {@link #write}.
     *
     * @throws IOException when the file is unreadable or malformed
     */
    public static ResultTable read(Path file) throws IOException {
        ResultTable table = new ResultTable();
        try (BufferedReader reader = Files.newBufferedReader(file, UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                String[] columns = line.split("\t", -1);
                if (columns.length != COLUMNS) {
                    throw new IOException(file + " has a malformed line: " + line);
                }
                table.total(columns[0], columns[1])
                        .add(
                                Long.parseLong(columns[2]),
                                Double.parseDouble(columns[3]),
                                Double.parseDouble(columns[4]),
                                Double.parseDouble(columns[5]),
                                Double.parseDouble(columns[6]),
                                Double.parseDouble(columns[7]));
            }
        }
        return table;
    }
}
