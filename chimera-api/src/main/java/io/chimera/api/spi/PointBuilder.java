package io.chimera.api.spi;

/**
 * Builds a point: metric, tags and fields in any order, the time, {@link #end}. Allocates nothing once names and texts were seen before.
 * Used within a call of the block only.
 */
public interface PointBuilder {
    /**
     * Takes metric and tags over from the point that the block was given; tags that follow replace those of the same name. In a
     * source, where no point was given, it does nothing.
     *
     * @return this
     */
    PointBuilder series();

    /**
     * Sets the metric.
     *
     * @param metric not empty
     * @return this
     */
    PointBuilder metric(CharSequence metric);

    /**
     * Adds a tag.
     *
     * @param name not empty
     * @param value not empty
     * @return this
     */
    PointBuilder tag(CharSequence name, CharSequence value);

    /**
     * Adds a field with a number.
     *
     * @param name not empty
     * @param value finite
     * @return this
     */
    PointBuilder field(CharSequence name, double value);

    /**
     * Adds a field with a whole number.
     *
     * @param name not empty
     * @param value the number
     * @return this
     */
    PointBuilder field(CharSequence name, long value);

    /**
     * Adds a field with text.
     *
     * @param name not empty
     * @param value the text
     * @return this
     */
    PointBuilder field(CharSequence name, CharSequence value);

    /**
     * Adds a field with type and value of a field of the point that the block was given. Not in a source.
     *
     * @param name not empty
     * @param index of the field there
     * @return this
     */
    PointBuilder copy(CharSequence name, int index);

    /**
     * Sets the time; a point without one has that of the point that the block was given, at the end of a cycle that of the cycle, in a
     * source that of its poll.
     *
     * @param timeNs nanoseconds since 1970
     * @return this
     */
    PointBuilder time(long timeNs);

    /**
     * Emits the point.
     *
     * @throws IllegalArgumentException when it is none: no metric, no field, an empty name, a number that is not finite, too
     *     many tags, too long; says which
     */
    void end();
}
