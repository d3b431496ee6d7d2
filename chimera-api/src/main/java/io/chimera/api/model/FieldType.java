package io.chimera.api.model;

/** Type of a field value. The ordinal is never stored; {@link #code()} is, and never changes. */
public enum FieldType {
    /** Signed 64-bit integer. */
    LONG(1),
    /** Unsigned 64-bit integer, kept in the bits of a {@code long}. */
    UNSIGNED(2),
    /** IEEE 754 double, never NaN and never infinite. */
    DOUBLE(3),
    /** Truth value; aggregations of numbers see 1 and 0. */
    BOOLEAN(4),
    /** UTF-8 text; only {@code count} aggregates it. */
    TEXT(5);

    private static final FieldType[] BY_CODE = new FieldType[6];

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
     * The number that stands for this type in a record.
     *
     * @return 1 to 5
     */
    public int code() {
        return code;
    }

    /**
     * The type that a record's number stands for.
     *
     * @param code number read from a record
     * @return the type, or null when no type has this number
     */
    public static FieldType ofCode(int code) {
        return code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
