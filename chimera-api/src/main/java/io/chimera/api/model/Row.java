package io.chimera.api.model;

/**
 * One value on its way into a store. A store keys a row by metric, tags, time and type, so a row written twice
 * overwrites itself: that is what makes a replay harmless.
 *
 * @param metric name of the output series
 * @param tags its tags; KairosDB wants at least one
 * @param timeMs milliseconds since 1970-01-01T00:00Z: start of the cycle or window, never the wall clock
 * @param isLong true when the value is a {@code long}, false when it is a {@code double}
 * @param bits the value itself, a double as its raw bits
 */
public record Row(String metric, Tags tags, long timeMs, boolean isLong, long bits) {
    /**
     * A row with an integer value.
     *
     * @param metric name of the output series
     * @param tags its tags
     * @param timeMs milliseconds since 1970
     * @param value the value
     * @return the row
     */
    public static Row ofLong(String metric, Tags tags, long timeMs, long value) {
        return new Row(metric, tags, timeMs, true, value);
    }

    /**
     * A row with a floating-point value.
     *
     * @param metric name of the output series
     * @param tags its tags
     * @param timeMs milliseconds since 1970
     * @param value the value, finite
     * @return the row
     */
    public static Row ofDouble(String metric, Tags tags, long timeMs, double value) {
        return new Row(metric, tags, timeMs, false, Double.doubleToRawLongBits(value));
    }

    /**
     * The value as a floating-point number, whichever type it has.
     *
     * @return the value
     */
    public double asDouble() {
        return isLong ? bits : Double.longBitsToDouble(bits);
    }
}
