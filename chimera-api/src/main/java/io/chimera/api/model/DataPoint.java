package io.chimera.api.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One data point as an immutable value, for the control plane, tools and tests. The data path carries flat records
 * instead and reads the records in place.
 *
 * @param key metric and tags
 * @param fields values by field name, in the order of arrival; each a Long, Double, Boolean, String, or a {@link
 *     java.math.BigInteger} for an unsigned value; a histogram is a text with its count and sum
 * @param timeNs nanoseconds since 1970-01-01T00:00Z
 */
public record DataPoint(SeriesKey key, Map<String, Object> fields, long timeNs) {
    /**
     * Makes an unmodifiable copy of the fields and keeps their order.
     *
     * @param key metric and tags
     * @param fields values by field name
     * @param timeNs nanoseconds since 1970-01-01T00:00Z
     */
    public DataPoint {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }
}
