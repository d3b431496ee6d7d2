package io.chimera.dataset.format.parquet;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.EventReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The rows of the test files, as {@code write.py} makes them, and reads of whole objects. */
final class ParquetRows {
    static final int ROWS = 150;

    /** All columns of the test files. */
    static final ParquetMapping MAPPING = new ParquetMapping(
            "m", null, "time", null, columns("host", "region"), columns("value", "count", "small", "ok", "note"));

    private ParquetRows() {}

    static List<ParquetColumn> columns(String... names) {
        List<ParquetColumn> columns = new ArrayList<>();
        for (String name : names) {
            columns.add(new ParquetColumn(name, name));
        }
        return columns;
    }

    /** Returns the points that the rows give; a row whose time is null gives none. */
    static List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            if (i % 50 == 49) {
                continue;
            }
            String line = "m";
            line += i % 11 == 3 ? "" : ",host=host-" + i % 7;
            line += ",region=" + List.of("de", "fr", "österreich").get(i % 3);
            line += i % 5 == 2 ? "" : " value=" + i * 0.25;
            line += " count=" + ((long) i * i * 1_000_003L - 1_000_000_000) + "i";
            line += i % 4 == 1 ? "" : " small=" + -i + "i";
            line += i % 13 == 0 ? "" : " ok=" + (i % 2 == 0);
            line += i % 17 == 0 ? "" : " note=\"note " + i + " of " + i % 3 + " " + "x".repeat(i % 9) + "\"";
            lines.add(line + " " + (1_700_000_000_000L + 1000L * i) * 1_000_000);
        }
        return lines;
    }

    static PointLines readAll(ParquetObject object, ParquetMapping mapping) throws IOException {
        return read(object, mapping, new ByteRange(0, object.length()));
    }

    static PointLines read(ParquetObject object, ParquetMapping mapping, ByteRange range) throws IOException {
        PointLines sink = new PointLines();
        try (EventReader reader = new ParquetFormat(mapping).open(object, range)) {
            while (reader.read(sink)) {}
        }
        return sink;
    }
}
