package io.chimera.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.List;

/**
 * Writes generated points as line protocol: point n belongs to series n mod the number of series. Equal seeds give
 * equal bytes. Immutable.
 */
public final class PointText {
    /** Number of series in the benchmarks. */
    public static final int SERIES = 1_000;

    /** Seed of the benchmarks. */
    public static final long SEED = 20170401L;

    private final PointShape shape;
    private final long seed;
    private final byte[][] keys;
    private final byte[][] doubleFields;
    private final byte[][] longFields;

    /**
     * Creates a writer of points.
     *
     * @param shape shape of a point
     * @param series number of series, at most 10,000, so that all lines have the same length
     * @param seed seed of the values
     */
    public PointText(PointShape shape, int series, long seed) {
        if (series < 1 || series > 10_000) {
            throw new IllegalArgumentException("Points need 1 to 10,000 series, not " + series + ".");
        }
        this.shape = shape;
        this.seed = seed;
        keys = new byte[series][];
        for (int i = 0; i < series; i++) {
            keys[i] = (shape.metric() + "," + String.join(",", shape.tagsOf(i)) + " ").getBytes(US_ASCII);
        }
        doubleFields = assignments(shape.doubleFields());
        longFields = assignments(shape.longFields());
    }

    /** Returns the points of the benchmarks. */
    public static PointText of(PointShape shape) {
        return new PointText(shape, SERIES, SEED);
    }

    /**
     * Returns the first points, one line each.
     *
     * @param points number of points
     * @return an array of points times {@link PointShape#lineLength} bytes
     */
    public byte[] lines(int points) {
        byte[] text = new byte[Math.multiplyExact(points, shape.lineLength())];
        int offset = 0;
        for (int point = 0; point < points; point++) {
            offset = write(point, text, offset);
        }
        return text;
    }

    /**
     * Writes the line of one point. Allocates nothing.
     *
     * @param point number of the point, counted from 0
     * @param target destination
     * @param offset index of the first byte
     * @return index after the last byte
     */
    public int write(long point, byte[] target, int offset) {
        int position = put(keys[(int) (point % keys.length)], target, offset);
        int field = 0;
        for (byte[] name : doubleFields) {
            position = put(name, target, field == 0 ? position : comma(target, position));
            position = putDigits(PointValues.hundredths(seed, point, field++), 2, target, position);
        }
        for (byte[] name : longFields) {
            position = put(name, target, field == 0 ? position : comma(target, position));
            position = putDigits(PointValues.number(seed, point, field++, shape.longDigits()), 0, target, position);
            target[position++] = 'i';
        }
        target[position++] = ' ';
        position = putDigits(PointValues.timeNs(point, keys.length), 0, target, position);
        target[position++] = '\n';
        return position;
    }

    private static byte[][] assignments(List<String> names) {
        return names.stream().map(name -> (name + "=").getBytes(US_ASCII)).toArray(byte[][]::new);
    }

    private static int comma(byte[] target, int position) {
        target[position] = ',';
        return position + 1;
    }

    private static int put(byte[] bytes, byte[] target, int position) {
        System.arraycopy(bytes, 0, target, position, bytes.length);
        return position + bytes.length;
    }

    /** Writes a positive number with the given number of decimals. */
    private static int putDigits(long number, int decimals, byte[] target, int position) {
        int length = decimals > 0 ? 1 : 0;
        for (long rest = number; rest > 0; rest /= 10) {
            length++;
        }
        long rest = number;
        for (int i = length - 1; i >= 0; i--) {
            if (decimals > 0 && length - 1 - i == decimals) {
                target[position + i] = '.';
            } else {
                target[position + i] = (byte) ('0' + rest % 10);
                rest /= 10;
            }
        }
        return position + length;
    }
}
