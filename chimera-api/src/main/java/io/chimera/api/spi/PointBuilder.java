package io.chimera.api.spi;

/**
 * Builds a point: first metric, tags, fields and time in any order, then {@link #end}. Valid only during the call of
 * the block, or during the poll of the source. A composition's builder allocates only for names and texts not seen
 * before.
 */
public interface PointBuilder {
    /**
     * Copies metric and tags from the input point of the block. A tag added to the new point replaces the copied tag of
     * the same name. Does nothing in a source, because a source has no input point.
     *
     * @return this builder
     */
    PointBuilder series();

    /**
     * Sets the metric.
     *
     * @param metric not empty
     * @return this builder
     */
    PointBuilder metric(CharSequence metric);

    /**
     * Adds a tag.
     *
     * @param name not empty
     * @param value not empty
     * @return this builder
     */
    PointBuilder tag(CharSequence name, CharSequence value);

    /**
     * Adds a field with a floating-point number.
     *
     * @param name not empty
     * @param value finite
     * @return this builder
     */
    PointBuilder field(CharSequence name, double value);

    /**
     * Adds a field with a whole number.
     *
     * @param name not empty
     * @param value the number
     * @return this builder
     */
    PointBuilder field(CharSequence name, long value);

    /**
     * Adds a field with text.
     *
     * @param name not empty
     * @param value the text
     * @return this builder
     */
    PointBuilder field(CharSequence name, CharSequence value);

    /**
     * Adds a field with a histogram.
     *
     * @param name not empty
     * @param value array with a histogram in the layout of {@link io.chimera.api.model.HistogramWriter}, from index 0
     * @param length of the histogram in bytes
     * @return this builder
     * @throws UnsupportedOperationException if the builder takes no histograms
     */
    default PointBuilder histogram(CharSequence name, byte[] value, int length) {
        throw new UnsupportedOperationException("This builder takes no histograms.");
    }

    /**
     * Adds a field with type and value of a field of the input point. A source has no input point and must not call
     * this method.
     *
     * @param name not empty
     * @param index index of the field in the input point
     * @return this builder
     */
    PointBuilder copy(CharSequence name, int index);

    /**
     * Sets the time. The default is the time of the input point; at the end of a cycle, the time of the cycle; in a
     * source, the time of the poll.
     *
     * @param timeNs nanoseconds since 1970
     * @return this builder
     */
    PointBuilder time(long timeNs);

    /**
     * Emits the point.
     *
     * @throws IllegalArgumentException when the point is not valid: no metric, no field, an empty name, a number that
     *     is not finite, too many tags, or too long; the message names the defect
     */
    void end();
}
