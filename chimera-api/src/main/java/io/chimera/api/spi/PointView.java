package io.chimera.api.spi;

import io.chimera.api.model.FieldType;

/**
 * A point in memory. The point and every {@link Text} of the point are valid only during the call that received the
 * point. Each method returns the same text object on every call: read a text before the next call of the same method.
 * Allocates nothing.
 */
public interface PointView {
    /**
     * Returns the metric.
     *
     * @return a view
     */
    Text metric();

    /**
     * Returns the value of a tag.
     *
     * @param name name of the tag
     * @return a view; null when the point has no such tag
     */
    Text tag(String name);

    /**
     * Returns the number of tags. Tags are ordered by name.
     *
     * @return at least 0
     */
    int tags();

    /**
     * Returns the name of a tag.
     *
     * @param index 0 to {@link #tags()} - 1
     * @return a view
     */
    Text tagName(int index);

    /**
     * Returns the value of a tag.
     *
     * @param index 0 to {@link #tags()} - 1
     * @return a view
     */
    Text tagValue(int index);

    /**
     * Returns the index of a field.
     *
     * @param name name of the field
     * @return index; -1 when the point has no such field
     */
    int field(String name);

    /**
     * Returns the number of fields.
     *
     * @return at least 1
     */
    int fields();

    /**
     * Returns the name of a field.
     *
     * @param index 0 to {@link #fields()} - 1
     * @return a view
     */
    Text fieldName(int index);

    /**
     * Returns the type of a field.
     *
     * @param index 0 to {@link #fields()} - 1
     * @return type of the field
     */
    FieldType fieldType(int index);

    /**
     * Returns the value of a field as a whole number: a long unchanged, the bits of an unsigned value, a double rounded
     * towards zero, a boolean as 1 or 0.
     *
     * @param index 0 to {@link #fields()} - 1
     * @return the value; 0 for text and histograms
     */
    long whole(int index);

    /**
     * Returns the value of a field as a floating-point number.
     *
     * @param index 0 to {@link #fields()} - 1
     * @return the value; NaN for text and histograms
     */
    double number(int index);

    /**
     * Returns the value of a field as text.
     *
     * @param index 0 to {@link #fields()} - 1
     * @return a view; null for a field of another type
     */
    Text text(int index);

    /**
     * Copies the bytes of a histogram, in the layout of {@link io.chimera.api.model.HistogramWriter}.
     *
     * @param index 0 to {@link #fields()} - 1
     * @param target array of at least {@code HistogramWriter.LENGTH_MAX} bytes
     * @return length in bytes; 0 for a field of another type
     */
    default int histogram(int index, byte[] target) {
        return 0;
    }

    /**
     * Returns the time.
     *
     * @return nanoseconds since 1970
     */
    long timeNs();

    /**
     * Returns the index of the pipeline key ({@code after.keys}) that assigned the point to its partition. A block
     * receives a point once for each key of the point, in the order of the keys. Every point that a block emits has the
     * key of the input point.
     *
     * @return index of the key; 0 for a pipeline without keys
     */
    default int key() {
        return 0;
    }
}
