package io.chimera.dataset.format.parquet;

/** Turns numbers as stored into the bits of field values, or into times. */
interface Conversion {
    /** A null; the value is undefined. */
    byte NULL = 0;

    /** A value. */
    byte PRESENT = 1;

    /** A value that cannot be converted, and makes the row bad. */
    byte BAD = 2;

    /** Leaves the numbers as they are. */
    Conversion NONE = (values, states, count) -> {};

    /** Turns the bits of floats into the bits of doubles. */
    Conversion FLOAT = (values, states, count) -> {
        for (int i = 0; i < count; i++) {
            values[i] = Double.doubleToRawLongBits(Float.intBitsToFloat((int) values[i]));
        }
    };

    /** Clears the sign that unsigned integers of four bytes do not have. */
    Conversion UNSIGNED_INT = (values, states, count) -> {
        for (int i = 0; i < count; i++) {
            values[i] &= 0xFFFF_FFFFL;
        }
    };

    /**
     * Converts values in place.
     *
     * @param values the values; undefined where the state is {@link #NULL}
     * @param states {@link #NULL} or {@link #PRESENT} for each value; the conversion may set {@link #BAD}
     * @param count number of values
     */
    void apply(long[] values, byte[] states, int count);

    /** Returns a conversion that applies this one and then another. */
    default Conversion then(Conversion next) {
        return (values, states, count) -> {
            apply(values, states, count);
            next.apply(values, states, count);
        };
    }

    /** Multiplies times by the nanoseconds of their unit. */
    static Conversion scaled(long nanosPerUnit) {
        long max = Long.MAX_VALUE / nanosPerUnit;
        return (values, states, count) -> {
            for (int i = 0; i < count; i++) {
                long value = values[i];
                if ((value > max || value < -max) && states[i] == PRESENT) {
                    states[i] = BAD;
                }
                values[i] = value * nanosPerUnit;
            }
        };
    }

    /** Turns unscaled decimals into the bits of doubles. */
    static Conversion decimal(int scale) {
        double divisor = Math.pow(10, scale);
        return (values, states, count) -> {
            for (int i = 0; i < count; i++) {
                values[i] = Double.doubleToRawLongBits(values[i] / divisor);
            }
        };
    }
}
