package io.chimera.queue.ipfix;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/**
 * What the data records of one set look like, as an exporter told: the elements and their lengths, in order. One thread.
 */
final class Template {
    /** Stands for the length of a field whose records say it themselves. */
    static final int VARIABLE = -1;

    /** Stands for an element of an enterprise, or of NetFlow 9 beyond those of IPFIX. */
    static final int FOREIGN = 1 << 16;

    private static final int NUMBER_BITS = 16;
    private static final int NUMBER_MASK = (1 << NUMBER_BITS) - 1;

    private final long[] keys;
    private final int[] elements;
    private final int[] lengths;
    private final boolean isOptions;
    private final int minLength;
    private final boolean isFixed;
    private byte[][] names = {};
    private long toldNs;

    /**
     * A template.
     *
     * @param keys elements, see {@link #key}
     * @param lengths bytes of each, or {@link #VARIABLE}
     * @param isOptions whether its records tell of the exporter and not of flows
     * @param toldNs when it came
     */
    Template(long[] keys, int[] lengths, boolean isOptions, long toldNs) {
        this.keys = keys;
        this.lengths = lengths;
        this.isOptions = isOptions;
        this.toldNs = toldNs;
        elements = new int[keys.length];
        int least = 0;
        boolean fixed = true;
        for (int i = 0; i < lengths.length; i++) {
            elements[i] = element(keys[i]);
            least += lengths[i] == VARIABLE ? 1 : lengths[i]; // one byte says that there is nothing
            fixed &= lengths[i] != VARIABLE;
        }
        minLength = least;
        isFixed = fixed;
    }

    /** One number for enterprise and element. */
    static long key(long enterprise, int number) {
        return (enterprise << NUMBER_BITS) | number;
    }

    private static int element(long key) {
        int number = (int) key & NUMBER_MASK;
        long enterprise = key >>> NUMBER_BITS;
        if (enterprise == Elements.REVERSE_ENTERPRISE) {
            return Elements.REVERSE | number;
        }
        return enterprise == 0 && number < Elements.ENTERPRISE_BIT ? number : FOREIGN;
    }

    /** Number of fields. */
    int fields() {
        return elements.length;
    }

    /** The element of a field: one of {@link Elements}, with {@link Elements#REVERSE} or without, or {@link #FOREIGN}. */
    int element(int field) {
        return elements[field];
    }

    /** Bytes of a field, or {@link #VARIABLE}. */
    int length(int field) {
        return lengths[field];
    }

    /** What a field of a data point is called that holds this one and has no other name. */
    byte[] name(int field) {
        if (names.length == 0) {
            names = new byte[keys.length][];
        }
        if (names[field] == null) {
            names[field] = name(keys[field]).getBytes(US_ASCII);
        }
        return names[field];
    }

    private static String name(long key) {
        long number = key & NUMBER_MASK;
        long enterprise = key >>> NUMBER_BITS;
        if (enterprise == Elements.REVERSE_ENTERPRISE) {
            return "reverse_element_" + number;
        }
        return enterprise == 0 ? "element_" + number : "element_" + enterprise + "_" + number;
    }

    /** Whether its records tell of the exporter. */
    boolean isOptions() {
        return isOptions;
    }

    /** The fewest bytes a record has; the only number where all lengths are fixed. At least 1. */
    int minLength() {
        return minLength;
    }

    /** Whether all records are equally long. */
    boolean isFixed() {
        return isFixed;
    }

    /** When it was told last. */
    long toldNs() {
        return toldNs;
    }

    /** Takes the time of another that says the same; false when it says something else. */
    boolean isToldAgain(Template other) {
        boolean same = isOptions == other.isOptions
                && Arrays.equals(keys, other.keys)
                && Arrays.equals(lengths, other.lengths);
        if (same) {
            toldNs = other.toldNs;
        }
        return same;
    }
}
