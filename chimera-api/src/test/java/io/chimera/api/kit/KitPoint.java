package io.chimera.api.kit;

import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A point as plain objects: input of a block, and expected or actual output. */
public final class KitPoint implements PointView {
    private final String metric;
    private final TreeMap<String, String> tags = new TreeMap<>();
    private final LinkedHashMap<String, Object> fields = new LinkedHashMap<>();
    private final long timeNs;
    private int key;

    private KitPoint(String metric, long timeNs) {
        this.metric = metric;
        this.timeNs = timeNs;
    }

    /**
     * Creates a point without tags and fields.
     *
     * @param metric metric of the point
     * @param timeNs nanoseconds since 1970
     * @return the point, ready for {@link #tag} and {@link #field}
     */
    public static KitPoint of(String metric, long timeNs) {
        return new KitPoint(metric, timeNs);
    }

    /**
     * Adds a tag.
     *
     * @param name name of the tag
     * @param value value of the tag
     * @return this point
     */
    public KitPoint tag(String name, String value) {
        tags.put(name, value);
        return this;
    }

    /**
     * Adds a field.
     *
     * @param name name of the field
     * @param value a {@code Long}, {@code Double}, {@code Boolean} or {@code String}; an {@code Integer} becomes a
     *     {@code Long}
     * @return this point
     */
    public KitPoint field(String name, Object value) {
        fields.put(name, value instanceof Integer whole ? Long.valueOf(whole) : value);
        return this;
    }

    /**
     * Sets the pipeline key that assigned the point to its partition.
     *
     * @param newKey index of the key
     * @return this point
     */
    public KitPoint by(int newKey) {
        key = newKey;
        return this;
    }

    @Override
    public int key() {
        return key;
    }

    /** Returns a copy with another time. */
    KitPoint at(long newTimeNs) {
        KitPoint moved = new KitPoint(metric, newTimeNs);
        moved.tags.putAll(tags);
        moved.fields.putAll(fields);
        moved.key = key;
        return moved;
    }

    Map<String, String> tagMap() {
        return tags;
    }

    @Override
    public Text metric() {
        return new KitText(metric);
    }

    @Override
    public Text tag(String name) {
        String value = tags.get(name);
        return value == null ? null : new KitText(value);
    }

    @Override
    public int tags() {
        return tags.size();
    }

    @Override
    public Text tagName(int index) {
        return new KitText(new ArrayList<>(tags.keySet()).get(index));
    }

    @Override
    public Text tagValue(int index) {
        return new KitText(new ArrayList<>(tags.values()).get(index));
    }

    private List<String> names() {
        return new ArrayList<>(fields.keySet());
    }

    Object value(int index) {
        return fields.get(names().get(index));
    }

    @Override
    public int field(String name) {
        return names().indexOf(name);
    }

    @Override
    public int fields() {
        return fields.size();
    }

    @Override
    public Text fieldName(int index) {
        return new KitText(names().get(index));
    }

    @Override
    public FieldType fieldType(int index) {
        Object value = value(index);
        if (value instanceof Long) {
            return FieldType.LONG;
        }
        if (value instanceof Double) {
            return FieldType.DOUBLE;
        }
        return value instanceof Boolean ? FieldType.BOOLEAN : FieldType.TEXT;
    }

    @Override
    public long whole(int index) {
        return value(index) instanceof String ? 0 : (long) number(index);
    }

    @Override
    public double number(int index) {
        Object value = value(index);
        if (value instanceof Boolean truth) {
            return truth ? 1 : 0;
        }
        return value instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    @Override
    public Text text(int index) {
        return value(index) instanceof String text ? new KitText(text) : null;
    }

    @Override
    public long timeNs() {
        return timeNs;
    }

    /** Returns metric, tags, fields and time, so that two points can be compared. */
    @Override
    public String toString() {
        return metric + tags + fields + "@" + timeNs;
    }
}
