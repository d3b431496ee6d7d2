package io.chimera.bench.peers.job;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;

/**
 * Straightforward parser from line protocol to points: one pass over the bytes, one string for metric and sorted tags,
 * one array of values. Supports exactly the generated load: no escapes, integer and decimal fields, a time stamp. One
 * thread.
 */
public final class LineParser {
    private static final double[] POWERS = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    private static final int TAGS_MAX = 64;
    private static final int FIELDS_MAX = 64;

    private final int[] tagStarts = new int[TAGS_MAX];
    private final int[] nameEnds = new int[TAGS_MAX];
    private final int[] tagEnds = new int[TAGS_MAX];
    private final int[] fieldStarts = new int[FIELDS_MAX];
    private final int[] fieldEnds = new int[FIELDS_MAX];
    private final double[] values = new double[FIELDS_MAX];
    private byte[] ordered = new byte[512];
    private byte[] text;
    private int position;
    private byte[][] lastNames = {};
    private String[] lastFields = {};

    /** Creates a parser. */
    public LineParser() {}

    /**
     * Parses a line.
     *
     * @param bytes array with the line
     * @param offset index of its first byte
     * @return the point, owned by the caller; its field names are shared
     */
    public Point parse(byte[] bytes, int offset) {
        text = bytes;
        position = offset;
        String key = key();
        int count = fields();
        return new Point(key, number(), names(count), Arrays.copyOf(values, count));
    }

    private String key() {
        int start = position;
        int metricEnd = endOfName();
        int tags = 0;
        boolean isOrdered = true;
        position = metricEnd;
        while (text[position] == ',') {
            tagStarts[tags] = ++position;
            while (text[position] != '=') {
                position++;
            }
            nameEnds[tags] = position++;
            tagEnds[tags] = endOfName();
            position = tagEnds[tags];
            isOrdered = isOrdered && (tags == 0 || compareNames(tags - 1, tags) < 0);
            tags++;
        }
        int length = position - start;
        position++;
        return isOrdered ? new String(text, start, length, ISO_8859_1) : orderedKey(start, metricEnd, tags, length);
    }

    private int endOfName() {
        int end = position;
        while (text[end] != ',' && text[end] != ' ') {
            end++;
        }
        return end;
    }

    /** Returns the key with sorted tags; insertion sort suffices for few tags. */
    private String orderedKey(int start, int metricEnd, int tags, int length) {
        for (int i = 1; i < tags; i++) {
            for (int k = i; k > 0 && compareNames(k - 1, k) > 0; k--) {
                swap(tagStarts, k);
                swap(nameEnds, k);
                swap(tagEnds, k);
            }
        }
        if (ordered.length < length) {
            ordered = new byte[2 * length];
        }
        int at = metricEnd - start;
        System.arraycopy(text, start, ordered, 0, at);
        for (int i = 0; i < tags; i++) {
            ordered[at++] = ',';
            System.arraycopy(text, tagStarts[i], ordered, at, tagEnds[i] - tagStarts[i]);
            at += tagEnds[i] - tagStarts[i];
        }
        return new String(ordered, 0, length, ISO_8859_1);
    }

    private int compareNames(int one, int other) {
        return Arrays.compareUnsigned(text, tagStarts[one], nameEnds[one], text, tagStarts[other], nameEnds[other]);
    }

    private static void swap(int[] array, int index) {
        int kept = array[index];
        array[index] = array[index - 1];
        array[index - 1] = kept;
    }

    private int fields() {
        int count = 0;
        position--;
        do {
            fieldStarts[count] = ++position;
            while (text[position] != '=') {
                position++;
            }
            fieldEnds[count] = position++;
            values[count++] = value();
        } while (text[position] == ',');
        position++;
        return count;
    }

    private double value() {
        boolean isNegative = text[position] == '-';
        if (isNegative) {
            position++;
        }
        double value = number();
        if (text[position] == '.') {
            int first = ++position;
            long decimals = number();
            value += decimals / POWERS[position - first];
        } else if (text[position] == 'i') {
            position++;
        }
        return isNegative ? -value : value;
    }

    private long number() {
        long value = 0;
        while (text[position] >= '0' && text[position] <= '9') {
            value = 10 * value + text[position++] - '0';
        }
        return value;
    }

    /** Returns the field names; most points have the fields of the previous point. */
    private String[] names(int count) {
        boolean isSame = count == lastNames.length;
        for (int i = 0; isSame && i < count; i++) {
            byte[] name = lastNames[i];
            isSame = Arrays.equals(name, 0, name.length, text, fieldStarts[i], fieldEnds[i]);
        }
        if (!isSame) {
            lastNames = new byte[count][];
            lastFields = new String[count];
            for (int i = 0; i < count; i++) {
                lastNames[i] = Arrays.copyOfRange(text, fieldStarts[i], fieldEnds[i]);
                lastFields[i] = new String(lastNames[i], ISO_8859_1);
            }
        }
        return lastFields;
    }
}
