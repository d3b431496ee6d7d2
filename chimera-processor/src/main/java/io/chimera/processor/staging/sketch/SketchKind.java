package io.chimera.processor.staging.sketch;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.common.wire.SeriesHash;
import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;

/**
 * Kinds of sketches; functions based on the same kind share a sketch. A value enters a sketch in two steps: the value
 * is stored as an item, which costs a copy, and many items are added together, because adding decodes and encodes the
 * image.
 */
public enum SketchKind {
    /** Distribution of the numbers. An item is a number. */
    QUANTILES {
        @Override
        @HotPath
        public int itemLength(RecordFlyweight record, int n, int type) {
            return FieldType.isBytes(type) ? 0 : Double.BYTES;
        }

        @Override
        @HotPath
        public void putItem(MutableDirectBuffer to, int at, RecordFlyweight record, int n, int type, int text) {
            to.putDouble(at, record.asDouble(n, type));
        }

        @Override
        public Sketch create() {
            return new QuantileSketch();
        }

        @Override
        public Sketch read(byte[] image) {
            return new QuantileSketch(image);
        }
    },

    /** Number of distinct values. An item is 64 bits, equal for equal values. */
    DISTINCT {
        @Override
        @HotPath
        public int itemLength(RecordFlyweight record, int n, int type) {
            return Long.BYTES;
        }

        @Override
        @HotPath
        public void putItem(MutableDirectBuffer to, int at, RecordFlyweight record, int n, int type, int text) {
            long bits = FieldType.isBytes(type)
                    ? SeriesHash.of(record.buffer(), text, (int) record.bits(n))
                    : ofNumber(record, n, type);
            to.putLong(at, bits);
        }

        @Override
        public Sketch create() {
            return new DistinctSketch();
        }

        @Override
        public Sketch read(byte[] image) {
            return new DistinctSketch(image);
        }
    },

    /** Most frequent texts. An item is the length in 2 bytes and a text cut to {@link #TEXT_LENGTH_MAX}. */
    TOP {
        @Override
        @HotPath
        public int itemLength(RecordFlyweight record, int n, int type) {
            return type == FieldType.TEXT.code()
                    ? Short.BYTES + (int) Math.min(record.bits(n), SketchKind.TEXT_LENGTH_MAX)
                    : 0;
        }

        @Override
        @HotPath
        public void putItem(MutableDirectBuffer to, int at, RecordFlyweight record, int n, int type, int text) {
            int length = (int) Math.min(record.bits(n), SketchKind.TEXT_LENGTH_MAX);
            to.putShort(at, (short) length);
            to.putBytes(at + Short.BYTES, record.buffer(), text, length);
        }

        @Override
        public Sketch create() {
            return new TopSketch();
        }

        @Override
        public Sketch read(byte[] image) {
            return new TopSketch(image);
        }
    },

    /** Sum of histograms. An item is the length in 8 bytes and a histogram, padded to 8. */
    HISTOGRAMS {
        @Override
        @HotPath
        public int itemLength(RecordFlyweight record, int n, int type) {
            return type == FieldType.HISTOGRAM.code() ? HistogramSketch.itemLength((int) record.bits(n)) : 0;
        }

        @Override
        @HotPath
        public void putItem(MutableDirectBuffer to, int at, RecordFlyweight record, int n, int type, int text) {
            int length = (int) record.bits(n);
            to.putLong(at, length, ByteOrder.LITTLE_ENDIAN);
            to.putBytes(at + HistogramSketch.PREFIX, record.buffer(), text, length);
        }

        @Override
        public Sketch create() {
            return new HistogramSketch();
        }

        @Override
        public Sketch read(byte[] image) {
            return new HistogramSketch(image);
        }
    };

    /**
     * Maximum length of a text distinguished by {@link #TOP}, in bytes: 384 texts with their counts use 54 KiB, less
     * than half a chunk.
     */
    static final int TEXT_LENGTH_MAX = 128;

    /** Maximum length of an image: for {@link #TOP} 384 x (128 + 12) bytes; for the other kinds at most 36 KiB. */
    public static final int IMAGE_LENGTH_MAX = 56 << 10;

    /** Separates integers without an equal double from the bits of doubles. */
    private static final long NO_DOUBLE = 0x9E3779B97F4A7C15L;

    /**
     * Returns the length in bytes of the item of a value.
     *
     * @param n index of the field
     * @param type {@link FieldType#code()} of the field
     * @return 0 when this kind takes no values of the type
     */
    @HotPath
    public abstract int itemLength(RecordFlyweight record, int n, int type);

    /**
     * Writes an item.
     *
     * @param to destination of the item, at index {@code at}
     * @param n index of the field
     * @param type {@link FieldType#code()} of the field
     * @param text index of the text or histogram in the record's buffer, if the value is one
     */
    @HotPath
    public abstract void putItem(MutableDirectBuffer to, int at, RecordFlyweight record, int n, int type, int text);

    /** Creates an empty sketch. */
    public abstract Sketch create();

    /** Decodes an image. */
    public abstract Sketch read(byte[] image);

    /** Returns bits that are equal for equal numbers of any type: 1 and 1.0, 0.0 and -0.0. */
    private static long ofNumber(RecordFlyweight record, int n, int type) {
        long bits = record.bits(n);
        double value = record.asDouble(n, type);
        boolean isExact = type == FieldType.DOUBLE.code() || (bits == (long) value && bits != Long.MAX_VALUE);
        return isExact ? Double.doubleToRawLongBits(value + 0.0) : bits ^ NO_DOUBLE;
    }
}
