package io.chimera.bench.peers.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.bench.peers.job.ResultTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Follows the file to which Telegraf appends aggregates, one line of line protocol per key and period. One thread. */
final class TelegrafResults implements AutoCloseable {
    private static final String COUNT = "_count";

    private final Path file;
    private final ResultTable table = new ResultTable();
    private final StringBuilder begun = new StringBuilder();
    private BufferedReader reader;
    private long points;

    TelegrafResults(Path file) {
        this.file = file;
    }

    Path file() {
        return file;
    }

    ResultTable table() {
        return table;
    }

    /** Reads the new lines; returns the number of points so far. */
    long readOn() throws IOException {
        if (reader == null) {
            if (!Files.exists(file)) {
                return 0;
            }
            reader = Files.newBufferedReader(file, UTF_8);
        }
        for (int read = reader.read(); read >= 0; read = reader.read()) {
            if (read == '\n') {
                points += add(begun.toString());
                begun.setLength(0);
            } else {
                begun.append((char) read);
            }
        }
        return points;
    }

    /** Returns the number of points in a line. */
    private long add(String line) {
        String[] parts = line.split(" ", -1);
        Map<String, Double> values = new HashMap<>();
        for (String field : parts[1].split(",", -1)) {
            int equals = field.indexOf('=');
            String number = field.substring(equals + 1);
            values.put(
                    field.substring(0, equals),
                    Double.parseDouble(number.endsWith("i") ? number.substring(0, number.length() - 1) : number));
        }
        long most = 0;
        for (Map.Entry<String, Double> value : values.entrySet()) {
            if (value.getKey().endsWith(COUNT)) {
                String name = value.getKey().substring(0, value.getKey().length() - COUNT.length());
                long count = value.getValue().longValue();
                // Telegraf computes the sample variance, which does not exist for a single value
                double sampleVariance = values.getOrDefault(name + "_s2", 0.0);
                table.total(parts[0], name)
                        .add(
                                count,
                                values.get(name + "_sum"),
                                values.get(name + "_min"),
                                values.get(name + "_max"),
                                values.get(name + "_mean"),
                                sampleVariance * (count - 1) / count);
                most = Math.max(most, count);
            }
        }
        return most;
    }

    @Override
    public void close() throws IOException {
        if (reader != null) {
            reader.close();
        }
    }
}
