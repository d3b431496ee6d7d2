package io.chimera.processor;

import io.chimera.common.wire.PointBytes;
import java.util.Map;

/** Data points for tests. */
public final class Records {
    private Records() {}

    /** Returns a point with its fields in the order of the map. */
    public static PointBytes of(String metric, Map<String, String> tags, Map<String, ?> fields, long timeNs) {
        PointBytes point = new PointBytes(metric).time(timeNs);
        tags.forEach(point::tag);
        fields.forEach(point::field);
        return point;
    }
}
