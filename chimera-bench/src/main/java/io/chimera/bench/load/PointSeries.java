package io.chimera.bench.load;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Points of {@link PointText} as values without text, for an independent computation of every aggregate. Immutable. */
public final class PointSeries {
    private static final double HUNDREDTHS = 100.0;

    private final PointShape shape;
    private final int series;
    private final long seed;
    private final List<String> fields = new ArrayList<>();

    /**
     * Creates the points of {@code new PointText(shape, series, seed)}.
     *
     * @param series number of series: point n belongs to series n mod series
     */
    public PointSeries(PointShape shape, int series, long seed) {
        this.shape = shape;
        this.series = series;
        this.seed = seed;
        fields.addAll(shape.doubleFields());
        fields.addAll(shape.longFields());
    }

    /** Returns the number of series. */
    public int count() {
        return series;
    }

    /** Returns metric and tags sorted by name, in line protocol. */
    public String key(int index) {
        List<String> tags = new ArrayList<>(shape.tagsOf(index));
        tags.sort((one, other) -> name(one).compareTo(name(other)));
        return shape.metric() + "," + String.join(",", tags);
    }

    private static String name(String tag) {
        return tag.substring(0, tag.indexOf('='));
    }

    /** Returns the names of the fields. */
    public List<String> fields() {
        return Collections.unmodifiableList(fields);
    }

    /** Returns the value of a field of a point. */
    public double value(long point, int field) {
        return field < shape.doubleFields().size()
                ? PointValues.hundredths(seed, point, field) / HUNDREDTHS
                : PointValues.number(seed, point, field, shape.longDigits());
    }
}
