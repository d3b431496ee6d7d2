package io.chimera.api.model;

import io.chimera.api.ColdPath;

/**
 * One value to be written to a store. A store identifies a row by metric, tags, time and type, so a second write of a
 * row overwrites the first. Because of this rule a replay leaves no duplicates.
 *
 * @param metric name of the output series
 * @param tags tags of the output series; KairosDB requires at least one tag
 * @param timeMs milliseconds since 1970-01-01T00:00Z: start of the cycle or window, never the wall clock
 * @param isLong true when the value is a {@code long}, false when the value is a {@code double}
 * @param bits the {@code long}, or the raw bits of the {@code double}
 */
public record Row(String metric, Tags tags, long timeMs, boolean isLong, long bits) {
    /**
     * Creates a row with an integer value.
     *
     * @param metric name of the output series
     * @param tags tags of the output series
     * @param timeMs milliseconds since 1970
     * @param value the value
     * @return the row
     */
    @ColdPath
    public static Row ofLong(String metric, Tags tags, long timeMs, long value) {
        return new Row(metric, tags, timeMs, true, value);
    }

    /**
     * Creates a row with a floating-point value.
     *
     * @param metric name of the output series
     * @param tags tags of the output series
     * @param timeMs milliseconds since 1970
     * @param value the value, finite
     * @return the row
     */
    @ColdPath
    public static Row ofDouble(String metric, Tags tags, long timeMs, double value) {
        return new Row(metric, tags, timeMs, false, Double.doubleToRawLongBits(value));
    }

    /**
     * Returns the value as a floating-point number. A {@code long} is converted.
     *
     * @return the value
     */
    public double asDouble() {
        return isLong ? bits : Double.longBitsToDouble(bits);
    }
}
