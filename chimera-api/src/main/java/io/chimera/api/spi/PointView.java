package io.chimera.api.spi;

import io.chimera.api.model.FieldType;

/**
 * A point as it lies in memory. Valid during the call it is given in, as is every {@link Text} taken from it; each method
 * returns the same text object again, so one is read before the next of its kind is asked for. Allocates nothing.
 */
public interface PointView {
    /**
     * The metric.
     *
     * @return a view
     */
    Text metric();

    /**
     * The value of a tag.
     *
     * @param name of the tag
     * @return a view; null when the point has no such tag
     */
    Text tag(String name);

    /**
     * Number of tags, which are in the order of their names.
     *
     * @return at least 0
     */
    int tags();

    /**
     * Name of a tag.
     *
     * @param index 0 to {@link #tags()} - 1
     * @return a view
     */
    Text tagName(int index);

    /**
     * Value of a tag.
     *
     * @param index 0 to {@link #tags()} - 1
     * @return a view
     */
    Text tagValue(int index);

    /**
     * Index of a field.
     *
     * @param name of the field
     * @return index; -1 when the point has no such field
     */
    int field(String name);

    /**
     * Number of fields.
     *
     * @return at least 1
     */
    int fields();

    /**
     * Name of a field.
     *
     * @param index 0 to {@link #fields()} - 1
     * @return a view
     */
    Text fieldName(int index);

    /**
     * Type of a field.
     *
     * @param index 0 to {@link #fields()} - 1
     * @return its type
     */
    FieldType fieldType(int index);

    /**
     * Value of a field as a whole number: a long as it is, a double rounded towards zero, a truth value as 1 or 0.
     *
     * @param index 0 to {@link #fields()} - 1
     * @return the value; 0 for text
     */
    long whole(int index);

    /**
     * Value of a field as a number.
     *
     * @param index 0 to {@link #fields()} - 1
     * @return the value; NaN for text
     */
    double number(int index);

    /**
     * Value of a field as text.
     *
     * @param index 0 to {@link #fields()} - 1
     * @return a view; null for a field of another type
     */
    Text text(int index);

    /**
     * The time.
     *
     * @return nanoseconds since 1970
     */
    long timeNs();

    /**
     * Which of the keys of the pipeline ({@code after.keys}) brought the point to its partition: it is given once for each key that it
     * has, in their order. What a block makes of it has the same one.
     *
     * @return index of the key; 0 where the pipeline names none
     */
    default int key() {
        return 0;
    }
}
