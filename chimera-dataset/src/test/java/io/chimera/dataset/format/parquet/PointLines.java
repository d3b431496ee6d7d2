package io.chimera.dataset.format.parquet;

import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A sink that writes each point as a line of text: {@code metric,tag=value field=value time}. */
final class PointLines implements PointSink {
    final List<String> lines = new ArrayList<>();
    final List<String> rejected = new ArrayList<>();
    private final StringBuilder line = new StringBuilder();
    private String fields = "";
    private long timeNs;
    private boolean notFinite;
    private int room = Integer.MAX_VALUE;

    /** Refuses to begin further points after some, until called again. */
    void room(int points) {
        room = points;
    }

    @Override
    public boolean begin(int textLength) {
        if (room == 0) {
            return false;
        }
        room--;
        line.setLength(0);
        fields = "";
        notFinite = false;
        return true;
    }

    @Override
    public void metric(byte[] bytes, int offset, int length) {
        line.append(text(bytes, offset, length));
    }

    @Override
    public void tag(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        line.append(',').append(text(name, nameOffset, nameLength));
        line.append('=').append(text(value, valueOffset, valueLength));
    }

    @Override
    public void field(byte[] name, int nameOffset, int nameLength, int typeCode, long bits) {
        FieldType type = FieldType.ofCode(typeCode);
        if (type == FieldType.DOUBLE) {
            notFinite |= !Double.isFinite(Double.longBitsToDouble(bits));
        }
        Object value = type == FieldType.DOUBLE
                ? (Object) Double.longBitsToDouble(bits)
                : type == FieldType.BOOLEAN
                        ? bits == 1
                        : type == FieldType.UNSIGNED ? Long.toUnsignedString(bits) + "u" : bits + "i";
        fields += " " + text(name, nameOffset, nameLength) + "=" + value;
    }

    @Override
    public void textField(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        fields += " " + text(name, nameOffset, nameLength) + "=\"" + text(value, valueOffset, valueLength) + "\"";
    }

    @Override
    public void time(long newTimeNs) {
        timeNs = newTimeNs;
    }

    @Override
    public int end() {
        if (timeNs < 0) {
            return TIME_OUT_OF_RANGE;
        }
        if (notFinite) {
            return NOT_FINITE;
        }
        lines.add(line + fields + " " + timeNs);
        return OK;
    }

    @Override
    public void reject(byte[] bytes, int offset, int length, long number, String reason) {
        rejected.add(number + ": " + reason + " (" + text(bytes, offset, length) + ")");
    }

    @Override
    public long arrivalTimeNs() {
        return 0;
    }

    private static String text(byte[] bytes, int offset, int length) {
        return new String(bytes, offset, length, StandardCharsets.UTF_8);
    }
}
