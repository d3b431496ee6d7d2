package io.chimera.api.model;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Writes the bytes of a histogram for {@link io.chimera.api.spi.PointSink#histogramField}. Exponential histograms have
 * buckets whose bounds are powers of {@code 2^(2^-scale)}: bucket {@code i} counts the numbers above power {@code i} up
 * to and including power {@code i + 1}; negative numbers have buckets of their own by absolute value. Other histograms
 * have explicit bounds: bucket {@code i} counts the numbers above bound {@code i - 1} up to and including bound {@code
 * i}.
 *
 * <p>Layout, little-endian:
 *
 * <pre>
 *   0         1       2    8                16           24      32    40    48    56
 *   +---------+-------+----+----------------+------------+-------+-----+-----+-----+---------
 *   | version | scale | 0  | zero threshold | zero count | count | sum | min | max | buckets
 *   +---------+-------+----+----------------+------------+-------+-----+-----+-----+---------
 * </pre>
 *
 * <p>Scale is a signed byte, the counts are 64 bits, the other numbers doubles. Buckets of an exponential histogram:
 * the positive, then the negative ones, each as the index of the first bucket (zigzag varint), their number, and their
 * counts (varints). With explicit bounds: the number of bounds (varint), the bounds (doubles), and one more count than
 * bounds (varints).
 *
 * <p>Calls: {@link #begin}, then for exponential histograms {@link #buckets} twice, or {@link #bounds} once, each
 * followed by its buckets, then {@link #end}. Not thread-safe; allocates only the array.
 */
public final class HistogramWriter {
    /** First byte of a histogram. */
    public static final int VERSION = 1;

    /** Smallest scale: bounds grow by 2^16. */
    public static final int SCALE_MIN = -4;

    /** Largest scale: bounds grow by a factor of 1.00000066. */
    public static final int SCALE_MAX = 20;

    /** Marks explicit bounds, in the place of the scale. */
    public static final int EXPLICIT = -53;

    /** Maximum length in bytes of a histogram of a point. */
    public static final int LENGTH_MAX = 4 << 10;

    /** Offset of the scale: i8. */
    public static final int SCALE = 1;

    /** Offset of the zero threshold: numbers of at most this absolute value are in no bucket. */
    public static final int ZERO_THRESHOLD = 8;

    /** Offset of the number of numbers within the zero threshold. */
    public static final int ZERO_COUNT = 16;

    /** Offset of the number of numbers: the sum of all counts. */
    public static final int COUNT = 24;

    /** Offset of the sum of the numbers; NaN if unknown. */
    public static final int SUM = 32;

    /** Offset of the smallest number; NaN if unknown. */
    public static final int MIN = 40;

    /** Offset of the largest number; NaN if unknown. */
    public static final int MAX = 48;

    /** Offset of the buckets. */
    public static final int BUCKETS = 56;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int VARINT_MAX = 10;

    private final byte[] bytes;
    private int length;
    private long counted;
    private boolean isTooLong;

    /** Creates a writer of histograms of points: up to {@link #LENGTH_MAX} bytes. */
    public HistogramWriter() {
        this(LENGTH_MAX);
    }

    /**
     * Creates a writer of histograms with any maximum length.
     *
     * @param lengthMax maximum length in bytes, at least {@link #BUCKETS}
     */
    public HistogramWriter(int lengthMax) {
        bytes = new byte[lengthMax];
    }

    /**
     * Begins a histogram and drops an unfinished one.
     *
     * @param scale {@link #SCALE_MIN} to {@link #SCALE_MAX}, or {@link #EXPLICIT}
     * @param zeroThreshold at least 0; 0 with explicit bounds
     * @param zeroCount number of numbers within the threshold; 0 with explicit bounds
     */
    public void begin(int scale, double zeroThreshold, long zeroCount) {
        LONGS.set(bytes, 0, VERSION | (long) (scale & 0xFF) << Byte.SIZE);
        put(ZERO_THRESHOLD, zeroThreshold);
        LONGS.set(bytes, ZERO_COUNT, zeroCount);
        length = BUCKETS;
        counted = zeroCount;
        isTooLong = false;
    }

    /**
     * Begins the buckets of one sign of an exponential histogram, first the positive ones.
     *
     * @param first index of the first bucket
     * @param count number of buckets; {@link #bucket} follows as often
     */
    public void buckets(int first, int count) {
        varint(((long) first << 1) ^ ((long) first >> (Long.SIZE - 1)));
        varint(count);
    }

    /**
     * Begins the buckets with explicit bounds.
     *
     * @param count number of bounds; {@link #bound} follows as often, then {@link #bucket} once more than that
     */
    public void bounds(int count) {
        varint(count);
    }

    /**
     * Adds a bound.
     *
     * @param bound finite and larger than the bound before
     */
    public void bound(double bound) {
        if (hasRoom(Double.BYTES)) {
            put(length, bound);
            length += Double.BYTES;
        }
    }

    /**
     * Adds a bucket.
     *
     * @param count number of numbers in the bucket, at least 0
     */
    public void bucket(long count) {
        counted += count;
        varint(count);
    }

    /**
     * Ends the histogram.
     *
     * @param sum of the numbers; NaN if unknown
     * @param min smallest number; NaN if unknown
     * @param max largest number; NaN if unknown
     * @return length in bytes; 0 if the histogram is too long
     */
    public int end(double sum, double min, double max) {
        LONGS.set(bytes, COUNT, counted);
        put(SUM, sum);
        put(MIN, min);
        put(MAX, max);
        return isTooLong ? 0 : length;
    }

    /**
     * Returns the array with the histogram, from index 0; valid until the next {@link #begin}.
     *
     * @return the array of this writer
     */
    public byte[] bytes() {
        return bytes;
    }

    private void put(int at, double value) {
        LONGS.set(bytes, at, Double.doubleToRawLongBits(value));
    }

    private boolean hasRoom(int wanted) {
        isTooLong |= length + wanted > bytes.length;
        return !isTooLong;
    }

    private void varint(long value) {
        if (!hasRoom(VARINT_MAX)) {
            return;
        }
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }
}
