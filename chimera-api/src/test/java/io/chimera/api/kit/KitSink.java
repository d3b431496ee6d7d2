package io.chimera.api.kit;

import io.chimera.api.spi.PointSink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Records the points and rejections of a parser as comparable texts. */
public final class KitSink implements PointSink {
    private final int roomFor;
    private final List<String> points = new ArrayList<>();
    private final List<String> rejected = new ArrayList<>();
    private int room;
    private String metric = "";
    private final TreeMap<String, String> tags = new TreeMap<>();
    private final TreeMap<String, String> fields = new TreeMap<>();
    private String time = "";

    /**
     * Creates a sink.
     *
     * @param roomFor number of points until the sink is full; {@code makeRoom} empties the sink again
     */
    public KitSink(int roomFor) {
        this.roomFor = roomFor;
        room = roomFor;
    }

    /** Returns the accepted points so far. */
    public List<String> points() {
        return points;
    }

    /** Returns the reasons of the rejected points so far. */
    public List<String> rejected() {
        return rejected;
    }

    void makeRoom() {
        room = roomFor;
    }

    private static String text(byte[] bytes, int offset, int length) {
        return new String(bytes, offset, length, StandardCharsets.UTF_8);
    }

    @Override
    public boolean begin(int textLength) {
        metric = "";
        tags.clear();
        fields.clear();
        time = "arrival";
        return room > 0;
    }

    @Override
    public void metric(byte[] bytes, int offset, int length) {
        metric = text(bytes, offset, length);
    }

    @Override
    public void tag(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        tags.put(text(name, nameOffset, nameLength), text(value, valueOffset, valueLength));
    }

    @Override
    public void field(byte[] name, int nameOffset, int nameLength, int typeCode, long bits) {
        fields.put(text(name, nameOffset, nameLength), typeCode + "/" + bits);
    }

    @Override
    public void textField(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        fields.put(text(name, nameOffset, nameLength), text(value, valueOffset, valueLength));
    }

    @Override
    public void time(long timeNs) {
        time = Long.toString(timeNs);
    }

    @Override
    public int end() {
        if (metric.isEmpty()) {
            return NO_METRIC;
        }
        if (fields.isEmpty()) {
            return NO_FIELD;
        }
        points.add(metric + tags + fields + "@" + time);
        room--;
        return OK;
    }

    @Override
    public void reject(byte[] bytes, int offset, int length, long line, String reason) {
        rejected.add("line " + line + ": " + reason);
    }

    @Override
    public long arrivalTimeNs() {
        return 1_700_000_000_000_000_000L;
    }
}
