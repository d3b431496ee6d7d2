package io.chimera.api.model;

import org.jspecify.annotations.Nullable;

/** Type of a field value. Records store {@link #code()}, whose numbers never change; the ordinal is never stored. */
public enum FieldType {
    /** Signed 64-bit integer. */
    LONG(1),
    /** Unsigned 64-bit integer, stored in the bits of a {@code long}. */
    UNSIGNED(2),
    /** IEEE 754 double, never NaN and never infinite. */
    DOUBLE(3),
    /** Boolean; numeric aggregations read 1 and 0. */
    BOOLEAN(4),
    /** UTF-8 text. No numeric aggregation reads text; {@code count}, {@code distinct} and {@code top} do. */
    TEXT(5),
    /**
     * Distribution of numbers, in the layout of {@link HistogramWriter}. {@code count}, {@code sum}, {@code min},
     * {@code max}, {@code mean} and quantiles read the distribution; other functions do not.
     */
    HISTOGRAM(6);

    private static final FieldType[] BY_CODE = new FieldType[7];

    static {
        for (FieldType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final int code;

    FieldType(int code) {
        this.code = code;
    }

    /**
     * Returns the number of this type in a record.
     *
     * @return 1 to 6
     */
    public int code() {
        return code;
    }

    /**
     * Returns whether the value of a field is a string of bytes after the values of the record. The value of such a
     * field in the record is the length of the bytes.
     *
     * @param code number of a type
     * @return true for text and histograms
     */
    public static boolean isBytes(int code) {
        return code >= TEXT.code;
    }

    /**
     * Returns the type for a number in a record.
     *
     * @param code number read from a record
     * @return the type, or null when no type has this number
     */
    public static @Nullable FieldType ofCode(int code) {
        return code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
