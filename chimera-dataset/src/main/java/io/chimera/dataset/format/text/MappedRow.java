package io.chimera.dataset.format.text;

import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Texts of the columns of one row, and their conversion to a point. The texts stay in the arrays of the parser until
 * the point is written. One thread; allocates nothing per row, except for times with a pattern and for bad rows.
 */
public final class MappedRow {
    private static final int NONE = -1;

    private final RowMapping mapping;
    private final List<String> columns;
    private final byte[] constantMetric;
    private final int metricColumn;
    private final int timeColumn;
    private final byte[][] tagNames;
    private final int[] tagColumns;
    private final byte[][] fieldNames;
    private final int[] fieldColumns;
    private final FieldType[] fieldTypes;
    private final String[] fieldReasons;
    private final String noMetric;
    private final String noTime;
    private final String badTime;
    private final DecimalText number = new DecimalText();

    private final byte[][] texts;
    private final int[] froms;

    /** Index after the text of each column; -1 for a column without a value. */
    private final int[] tos;

    /**
     * Creates a row without values.
     *
     * @param mapping mapping of the columns
     */
    public MappedRow(RowMapping mapping) {
        this.mapping = mapping;
        this.columns = mapping.columns();
        MetricName metric = mapping.metric();
        TimeColumn time = mapping.time();
        constantMetric = metric.isColumn() ? new byte[0] : utf8(metric.text());
        metricColumn = metric.isColumn() ? columns.indexOf(metric.text()) : NONE;
        timeColumn = time == null ? NONE : columns.indexOf(time.column());
        tagNames = mapping.tags().stream().map(tag -> utf8(tag.name())).toArray(byte[][]::new);
        tagColumns = mapping.tags().stream()
                .mapToInt(tag -> columns.indexOf(tag.column()))
                .toArray();
        fieldNames = mapping.fields().stream().map(field -> utf8(field.name())).toArray(byte[][]::new);
        fieldColumns = mapping.fields().stream()
                .mapToInt(field -> columns.indexOf(field.column()))
                .toArray();
        fieldTypes = mapping.fields().stream().map(FieldColumn::type).toArray(FieldType[]::new);
        fieldReasons = mapping.fields().stream()
                .map(field -> field.type().name().toLowerCase(Locale.ROOT) + " expected in column " + field.column())
                .toArray(String[]::new);
        noMetric = "no metric in column " + metric.text();
        noTime = time == null ? "" : "no time in column " + time.column();
        badTime = time == null
                ? ""
                : "no time of the expected format in column " + time.column()
                        + ", or one outside 1970 to 2262; see time_format of the mapping";
        texts = new byte[columns.size()][];
        froms = new int[columns.size()];
        tos = new int[columns.size()];
        clear();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the references of the columns; the methods count columns in this order, from 0. */
    public List<String> columns() {
        return columns;
    }

    /** Removes all values. */
    public void clear() {
        Arrays.fill(tos, NONE);
    }

    /**
     * Sets the value of a column; the bytes must not change until the point is written.
     *
     * @param column number of the column
     * @param bytes array with the text
     * @param from index of the first byte
     * @param to index after the last byte
     */
    public void set(int column, byte[] bytes, int from, int to) {
        texts[column] = bytes;
        froms[column] = from;
        tos[column] = to;
    }

    boolean isSet(int column) {
        return tos[column] != NONE;
    }

    /**
     * Hands the point of the row to a sink.
     *
     * @param sink destination of the point; never full
     * @param textLength length of the row in bytes
     * @return null; the reason to reject the row when the row is no point
     */
    public @Nullable String write(PointSink sink, int textLength) {
        if (!sink.begin(textLength)) {
            throw new IllegalStateException("the sink of a data set has no room");
        }
        if (metricColumn == NONE) {
            sink.metric(constantMetric, 0, constantMetric.length);
        } else if (isSet(metricColumn)) {
            int from = froms[metricColumn];
            sink.metric(texts[metricColumn], from, tos[metricColumn] - from);
        } else {
            return noMetric;
        }
        writeTags(sink);
        for (int i = 0; i < fieldNames.length; i++) {
            if (isSet(fieldColumns[i]) && !writeField(i, sink)) {
                return fieldReasons[i];
            }
        }
        String bad = writeTime(sink);
        if (bad != null) {
            return bad;
        }
        int result = sink.end();
        return result < 0 ? PointSink.reasonOf(result) : null;
    }

    private void writeTags(PointSink sink) {
        for (int i = 0; i < tagNames.length; i++) {
            int column = tagColumns[i];
            if (isSet(column)) {
                byte[] name = tagNames[i];
                sink.tag(name, 0, name.length, texts[column], froms[column], tos[column] - froms[column]);
            }
        }
    }

    private @Nullable String writeTime(PointSink sink) {
        TimeColumn time = mapping.time();
        if (time == null) {
            return null;
        }
        if (!isSet(timeColumn)) {
            return noTime;
        }
        int from = trimmedFrom(timeColumn);
        long ns = time.format().parse(texts[timeColumn], from, trimmedTo(timeColumn, from));
        if (ns == TimeFormat.NO_TIME) {
            return badTime;
        }
        sink.time(ns);
        return null;
    }

    private boolean writeField(int index, PointSink sink) {
        int column = fieldColumns[index];
        byte[] name = fieldNames[index];
        byte[] text = texts[column];
        FieldType type = fieldTypes[index];
        if (type == FieldType.TEXT) {
            sink.textField(name, 0, name.length, text, froms[column], tos[column] - froms[column]);
            return true;
        }
        int from = trimmedFrom(column);
        int to = trimmedTo(column, from);
        long bits;
        if (type == FieldType.LONG) {
            if (!number.readLong(text, from, to)) {
                return false;
            }
            bits = number.longValue();
        } else if (type == FieldType.DOUBLE) {
            if (!number.readDouble(text, from, to)) {
                return false;
            }
            bits = Double.doubleToRawLongBits(number.doubleValue());
        } else {
            bits = TruthText.read(text, from, to);
            if (bits == TruthText.NEITHER) {
                return false;
            }
        }
        sink.field(name, 0, name.length, type.code(), bits);
        return true;
    }

    private int trimmedFrom(int column) {
        int from = froms[column];
        while (from < tos[column] && texts[column][from] == ' ') {
            from++;
        }
        return from;
    }

    private int trimmedTo(int column, int from) {
        int to = tos[column];
        while (to > from && texts[column][to - 1] == ' ') {
            to--;
        }
        return to;
    }
}
