package io.chimera.flow.ipfix.collector;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Sink that keeps points in order of arrival. */
public final class PointList implements PointSink {
    public static final long ARRIVAL_NS = 1_700_000_100_000_000_000L;

    /** Data point; field values are numbers and texts. */
    public record Point(String metric, Map<String, String> tags, Map<String, Object> fields, long timeNs) {
        public long number(String field) {
            return (Long) fields.get(field);
        }
    }

    public final List<Point> points = new ArrayList<>();
    public final List<String> rejects = new ArrayList<>();
    int room = Integer.MAX_VALUE;
    long arrivalNs = ARRIVAL_NS;

    private String metric;
    private Map<String, String> tags;
    private Map<String, Object> fields;
    private long timeNs;

    @Override
    public boolean begin(int textLength) {
        if (room == 0) {
            return false;
        }
        room--;
        tags = new TreeMap<>();
        fields = new TreeMap<>();
        timeNs = arrivalNs;
        return true;
    }

    @Override
    public void metric(byte[] bytes, int offset, int length) {
        metric = new String(bytes, offset, length, UTF_8);
    }

    @Override
    public void tag(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        String text = new String(value, valueOffset, valueLength, UTF_8);
        if (tags.put(new String(name, nameOffset, nameLength, UTF_8), text) != null || text.isEmpty()) {
            throw new AssertionError("A tag twice, or without a value.");
        }
    }

    @Override
    public void field(byte[] name, int nameOffset, int nameLength, int typeCode, long bits) {
        if (typeCode != FieldType.LONG.code()
                || fields.put(new String(name, nameOffset, nameLength, UTF_8), bits) != null) {
            throw new AssertionError("A field twice, or of no whole number.");
        }
    }

    @Override
    public void textField(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        fields.put(new String(name, nameOffset, nameLength, UTF_8), new String(value, valueOffset, valueLength, UTF_8));
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
        points.add(new Point(metric, tags, fields, timeNs));
        return OK;
    }

    @Override
    public void reject(byte[] bytes, int offset, int length, long line, String reason) {
        rejects.add(reason + ": " + new String(bytes, offset, length, UTF_8));
    }

    @Override
    public long arrivalTimeNs() {
        return arrivalNs;
    }
}
