package io.chimera.flow.ipfix.collector;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.chimera.api.ColdPath;
import io.chimera.flow.ipfix.Elements;
import java.util.Arrays;

/**
 * Layout of the data records of one set as announced by an exporter: elements and lengths, in order. Used by one
 * thread.
 */
public final class Template {
    /** Length of a field whose records carry the length themselves. */
    static final int VARIABLE = -1;

    /** Element of an enterprise, or a NetFlow 9 field type beyond the IPFIX numbers. */
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
     * Creates a template.
     *
     * @param keys keys of the elements, see {@link #key}
     * @param lengths bytes of each field, or {@link #VARIABLE}
     * @param isOptions whether the records describe the exporter instead of flows
     * @param toldNs arrival time
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
            least += lengths[i] == VARIABLE ? 1 : lengths[i]; // a length byte of 0
            fixed &= lengths[i] != VARIABLE;
        }
        minLength = least;
        isFixed = fixed;
    }

    /** Combines enterprise and element number. */
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

    int fields() {
        return elements.length;
    }

    /**
     * Element of a field: a number of {@link Elements}, with or without {@link Elements#REVERSE}, or {@link #FOREIGN}.
     */
    int element(int field) {
        return elements[field];
    }

    /** Bytes of a field, or {@link #VARIABLE}. */
    int length(int field) {
        return lengths[field];
    }

    /** Name of the data point field for an element without a column. */
    byte[] name(int field) {
        if (names.length == 0 || names[field] == null) {
            makeName(field);
        }
        return names[field];
    }

    @ColdPath
    private void makeName(int field) {
        if (names.length == 0) {
            names = new byte[keys.length][];
        }
        names[field] = name(keys[field]).getBytes(US_ASCII);
    }

    private static String name(long key) {
        long number = key & NUMBER_MASK;
        long enterprise = key >>> NUMBER_BITS;
        if (enterprise == Elements.REVERSE_ENTERPRISE) {
            return "reverse_element_" + number;
        }
        return enterprise == 0 ? "element_" + number : "element_" + enterprise + "_" + number;
    }

    /** Whether the records describe the exporter. */
    boolean isOptions() {
        return isOptions;
    }

    /** Minimum bytes of a record; the exact length when all field lengths are fixed. At least 1. */
    int minLength() {
        return minLength;
    }

    /** Whether all records have the same length. */
    boolean isFixed() {
        return isFixed;
    }

    /** Time of the last announcement. */
    long toldNs() {
        return toldNs;
    }

    /** Adopts the time of an equal template; false when the other template differs. */
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
