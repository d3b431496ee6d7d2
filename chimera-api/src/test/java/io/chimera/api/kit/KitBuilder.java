package io.chimera.api.kit;

import io.chimera.api.spi.PointBuilder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Builds points as plain objects, one after another. Refuses the same invalid points as a node. */
final class KitBuilder implements PointBuilder {
    private final KitPoint given;
    private final long givenNs;
    private final Consumer<KitPoint> taker;
    private final Map<String, String> tags = new TreeMap<>();
    private final Map<String, Object> fields = new LinkedHashMap<>();
    private String metric = "";
    private long timeNs;

    /**
     * Creates a builder.
     *
     * @param given input point of the block; null in a source and at the end of a cycle
     * @param givenNs default time of the points
     * @param taker receives each complete point
     */
    KitBuilder(KitPoint given, long givenNs, Consumer<KitPoint> taker) {
        this.given = given;
        this.givenNs = givenNs;
        this.taker = taker;
        timeNs = givenNs;
    }

    @Override
    public PointBuilder series() {
        if (given != null) {
            metric = given.metric().toString();
            tags.putAll(given.tagMap());
        }
        return this;
    }

    @Override
    public PointBuilder metric(CharSequence newMetric) {
        metric = newMetric.toString();
        return this;
    }

    @Override
    public PointBuilder tag(CharSequence name, CharSequence value) {
        if (name.length() == 0 || value.length() == 0) {
            throw new IllegalArgumentException("a tag needs a name and a value");
        }
        tags.put(name.toString(), value.toString());
        return this;
    }

    @Override
    public PointBuilder field(CharSequence name, double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("the field " + name + " is not finite");
        }
        return put(name, value);
    }

    @Override
    public PointBuilder field(CharSequence name, long value) {
        return put(name, value);
    }

    @Override
    public PointBuilder field(CharSequence name, CharSequence value) {
        return put(name, value.toString());
    }

    @Override
    public PointBuilder copy(CharSequence name, int index) {
        if (given == null) {
            throw new IllegalStateException("No input point to copy a field from.");
        }
        return put(name, given.value(index));
    }

    private PointBuilder put(CharSequence name, Object value) {
        if (name.length() == 0) {
            throw new IllegalArgumentException("a field needs a name");
        }
        fields.put(name.toString(), value);
        return this;
    }

    @Override
    public PointBuilder time(long newTimeNs) {
        timeNs = newTimeNs;
        return this;
    }

    @Override
    public void end() {
        if (metric.isEmpty() || fields.isEmpty()) {
            throw new IllegalArgumentException("a point needs a metric and a field");
        }
        KitPoint point = KitPoint.of(metric, timeNs);
        tags.forEach(point::tag);
        fields.forEach(point::field);
        metric = "";
        tags.clear();
        fields.clear();
        timeNs = givenNs;
        taker.accept(point);
    }
}
