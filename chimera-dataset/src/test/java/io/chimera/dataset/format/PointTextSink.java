package io.chimera.dataset.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import java.util.ArrayList;
import java.util.List;

/** Collects points as text {@code metric,tag=value field=1(LONG) time}, and bad points with line and reason. */
public final class PointTextSink implements PointSink {
    /** Points in order. */
    public final List<String> points = new ArrayList<>();

    /** Text, line and reason of bad points in order. */
    public final List<Reject> rejects = new ArrayList<>();

    private final StringBuilder point = new StringBuilder();
    private String time = "";
    private boolean hasField;
    private boolean isOpen;

    /** Bad point. */
    public record Reject(String text, long line, String reason) {}

    /** Reads a split to its end. */
    public static PointTextSink of(EventFormat format, ObjectBytes object, ByteRange range) throws Exception {
        PointTextSink sink = new PointTextSink();
        sink.read(format, object, range);
        return sink;
    }

    /** Reads a split to its end, after what was read before. */
    public void read(EventFormat format, ObjectBytes object, ByteRange range) throws Exception {
        try (EventReader reader = format.open(object, range)) {
            boolean more = true;
            while (more) {
                more = reader.read(this);
            }
        }
    }

    /** Text and reason of bad points: lines count from the beginning of each split. */
    public List<String> rejectedTexts() {
        return rejects.stream()
                .map(reject -> reject.text + " <- " + reject.reason)
                .toList();
    }

    @Override
    public boolean begin(int textLength) {
        point.setLength(0);
        time = "arrival";
        hasField = false;
        isOpen = true;
        return true;
    }

    @Override
    public void metric(byte[] bytes, int offset, int length) {
        point.append(new String(bytes, offset, length, UTF_8));
    }

    @Override
    public void tag(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        point.append(',').append(new String(name, nameOffset, nameLength, UTF_8));
        point.append('=').append(new String(value, valueOffset, valueLength, UTF_8));
    }

    @Override
    public void field(byte[] name, int nameOffset, int nameLength, int typeCode, long bits) {
        FieldType type = FieldType.ofCode(typeCode);
        String value = type == FieldType.DOUBLE ? "" + Double.longBitsToDouble(bits) : "" + bits;
        append(new String(name, nameOffset, nameLength, UTF_8), value + "(" + type + ")");
    }

    @Override
    public void textField(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        append(
                new String(name, nameOffset, nameLength, UTF_8),
                '"' + new String(value, valueOffset, valueLength, UTF_8) + '"');
    }

    private void append(String name, String value) {
        point.append(' ').append(name).append('=').append(value);
        hasField = true;
    }

    @Override
    public void time(long timeNs) {
        time = "" + timeNs;
    }

    @Override
    public int end() {
        if (!isOpen) {
            throw new AssertionError("end without begin");
        }
        isOpen = false;
        if (!hasField) {
            return NO_FIELD;
        }
        points.add(point.append(' ').append(time).toString());
        return OK;
    }

    @Override
    public void reject(byte[] bytes, int offset, int length, long line, String reason) {
        rejects.add(new Reject(new String(bytes, offset, length, UTF_8), line, reason));
    }

    @Override
    public long arrivalTimeNs() {
        return 0;
    }
}
