package io.chimera.dataset.format.parquet;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.api.spi.PointSink;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hands the rows of a batch to the sink. Allocates nothing for a good row. One thread. */
final class RowSender {
    private static final int BYTES_PER_NUMBER = 16;

    /**
     * The metric.
     *
     * @param name name of the metric for all rows
     * @param column column with the name, or null
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Metric(byte[] name, @Nullable TextColumn column) {}

    /** A tag with its column. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Tag(byte[] name, TextColumn column) {}

    /** A field that is a number or a boolean, with its column. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record NumberField(byte[] name, int typeCode, NumberColumn column) {}

    /** A field that is text, with its column. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record TextField(byte[] name, TextColumn column) {}

    private final String path;
    private final Metric metric;
    private final NumberColumn time;
    private final Tag[] tags;
    private final NumberField[] numbers;
    private final TextField[] texts;
    private final int fixedLength;

    /** Creates the sender for an object. */
    RowSender(
            String path,
            Metric metric,
            NumberColumn time,
            List<Tag> tags,
            List<NumberField> numbers,
            List<TextField> texts) {
        this.path = path;
        this.metric = metric;
        this.time = time;
        this.tags = tags.toArray(Tag[]::new);
        this.numbers = numbers.toArray(NumberField[]::new);
        this.texts = texts.toArray(TextField[]::new);
        this.fixedLength = metric.name().length
                + tags.stream().mapToInt(tag -> tag.name().length + 2).sum()
                + numbers.stream()
                        .mapToInt(field -> field.name().length + BYTES_PER_NUMBER)
                        .sum()
                + texts.stream().mapToInt(field -> field.name().length + 2).sum()
                + BYTES_PER_NUMBER;
    }

    /**
     * Hands a row to the sink, or rejects the row.
     *
     * @param row index of the row in the batch
     * @param line number of the row in the object, from 1
     * @return false when the sink has no room now; the row must be sent again
     */
    @HotPath
    boolean send(PointSink sink, int row, long line) {
        String defect = defectOf(row);
        if (defect == null) {
            if (!sink.begin(textLength(row))) {
                return false;
            }
            int code = sendGood(sink, row);
            if (code == PointSink.OK) {
                return true;
            }
            defect = PointSink.reasonOf(code);
        }
        reject(sink, line, defect);
        return true;
    }

    private int sendGood(PointSink sink, int row) {
        TextColumn metricColumn = metric.column();
        if (metricColumn == null) {
            sink.metric(metric.name(), 0, metric.name().length);
        } else {
            sink.metric(metricColumn.bytes(), metricColumn.offsetAt(row), metricColumn.lengthAt(row));
        }
        for (Tag tag : tags) {
            TextColumn column = tag.column();
            int length = column.lengthAt(row);
            if (length > 0) {
                sink.tag(tag.name(), 0, tag.name().length, column.bytes(), column.offsetAt(row), length);
            }
        }
        for (NumberField field : numbers) {
            if (field.column().stateAt(row) == Conversion.PRESENT) {
                long bits = field.column().valueAt(row);
                sink.field(field.name(), 0, field.name().length, field.typeCode(), bits);
            }
        }
        for (TextField field : texts) {
            TextColumn column = field.column();
            if (column.stateAt(row) == Conversion.PRESENT) {
                sink.textField(
                        field.name(),
                        0,
                        field.name().length,
                        column.bytes(),
                        column.offsetAt(row),
                        column.lengthAt(row));
            }
        }
        sink.time(time.valueAt(row));
        return sink.end();
    }

    /** Returns the reason why a row cannot be sent, or null. */
    private @Nullable String defectOf(int row) {
        TextColumn metricColumn = metric.column();
        if (metricColumn != null && metricColumn.stateAt(row) != Conversion.PRESENT) {
            return metricColumn.stateAt(row) == Conversion.NULL
                    ? "the metric is null"
                    : "the metric is not valid UTF-8";
        }
        if (time.stateAt(row) != Conversion.PRESENT) {
            return time.stateAt(row) == Conversion.NULL ? "the time is null" : "time outside range 1970 to 2262";
        }
        for (Tag tag : tags) {
            if (tag.column().stateAt(row) == Conversion.BAD) {
                return "a tag is not valid UTF-8";
            }
        }
        boolean hasField = false;
        for (NumberField field : numbers) {
            hasField |= field.column().stateAt(row) == Conversion.PRESENT;
        }
        for (TextField field : texts) {
            byte state = field.column().stateAt(row);
            if (state == Conversion.BAD) {
                return "a field is not valid UTF-8";
            }
            hasField |= state == Conversion.PRESENT;
        }
        return hasField ? null : "all fields are null";
    }

    private int textLength(int row) {
        TextColumn metricColumn = metric.column();
        int length = fixedLength + (metricColumn == null ? 0 : metricColumn.lengthAt(row));
        for (Tag tag : tags) {
            length += tag.column().lengthAt(row);
        }
        for (TextField field : texts) {
            length += field.column().lengthAt(row);
        }
        return length;
    }

    /** Rejects a row. The dead letter names the place of the row, because a row has no text. */
    @ColdPath
    private void reject(PointSink sink, long line, String reason) {
        byte[] text = (path + " row " + line).getBytes(StandardCharsets.UTF_8);
        sink.reject(text, 0, text.length, line, reason);
    }
}
