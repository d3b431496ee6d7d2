package io.chimera.dataset.format.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Columns of a CSV text.
 *
 * @param names names of the columns in order; empty without a header
 */
record CsvHeader(List<String> names) {
    /** Columns of a text without a header, which have numbers. */
    static final CsvHeader NONE = new CsvHeader(List.of());

    private static final int COLUMNS_MAX = 10_000;
    private static final int NAMES_SHOWN = 20;

    /**
     * Reads the names from the first line of an object.
     *
     * @param line the line without its line end
     * @throws IllegalArgumentException when the line is no record of CSV
     */
    static CsvHeader read(byte[] line, CsvOptions options) {
        List<String> names = new ArrayList<>();
        int from = ByteOrderMark.begins(line, 0, line.length) ? ByteOrderMark.LENGTH : 0;
        int end = new CsvRecord(options, false)
                .read(
                        line,
                        from,
                        line.length,
                        (column, bytes, start, to) ->
                                names.add(new String(bytes, start, to - start, StandardCharsets.UTF_8)));
        if (end < 0) {
            throw new IllegalArgumentException("the header is no record of CSV");
        }
        return new CsvHeader(names);
    }

    /** Number of columns; 0 without a header. */
    int count() {
        return names.size();
    }

    /**
     * Finds the columns of a mapping.
     *
     * @param columns references of columns, each once
     * @return index in the references by number of the column in the text, -1 for a column without a reference
     * @throws IllegalArgumentException when a column does not exist, or exists twice
     */
    int[] mapped(List<String> columns) {
        int[] numbers = columns.stream()
                .mapToInt(names.isEmpty() ? CsvHeader::number : this::index)
                .toArray();
        int[] mapped = new int[Arrays.stream(numbers).max().orElse(-1) + 1];
        Arrays.fill(mapped, -1);
        for (int i = 0; i < numbers.length; i++) {
            if (mapped[numbers[i]] >= 0) {
                throw new IllegalArgumentException("column " + columns.get(i) + " is named in two ways");
            }
            mapped[numbers[i]] = i;
        }
        return mapped;
    }

    private int index(String name) {
        int index = names.indexOf(name);
        if (index < 0 || index != names.lastIndexOf(name)) {
            List<String> shown = names.subList(0, Math.min(names.size(), NAMES_SHOWN));
            throw new IllegalArgumentException(
                    (index < 0 ? "no column " : "two columns ") + name + " in the header; the columns are " + shown);
        }
        return index;
    }

    private static int number(String column) {
        long negated = DecimalText.negated(column.getBytes(StandardCharsets.UTF_8), 0, column.length());
        if (negated > -1 || negated < -COLUMNS_MAX) {
            throw new IllegalArgumentException(
                    "column \"" + column + "\" of a text without a header; expected a number from 1 to " + COLUMNS_MAX);
        }
        return (int) -negated - 1;
    }
}
