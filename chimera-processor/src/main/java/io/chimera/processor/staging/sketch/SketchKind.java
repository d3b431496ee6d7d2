package io.chimera.processor.staging.sketch;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.common.wire.SeriesHash;
import org.agrona.MutableDirectBuffer;

/**
 * The kinds of sketches, each shared by all functions that can be told from it. A value goes into a sketch in two steps: it
 * is noted as an item, which costs a copy; many items are taken together, for that makes an image an object and back.
 */
public enum SketchKind {
    /** How the numbers are distributed. An item is a number. */
    QUANTILES {
        @Override
        @HotPath
        public int itemLength(RecordFlyweight record, int n, int type) {
            return type == FieldType.TEXT.code() ? 0 : Double.BYTES;
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

    /** How many different values there are. An item is 64 bits that are equal for equal values. */
    DISTINCT {
        @Override
        @HotPath
        public int itemLength(RecordFlyweight record, int n, int type) {
            return Long.BYTES;
        }

        @Override
        @HotPath
        public void putItem(MutableDirectBuffer to, int at, RecordFlyweight record, int n, int type, int text) {
            long bits = type == FieldType.TEXT.code()
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

    /** Which texts are the most frequent ones. An item is a text, cut to {@link #TEXT_LENGTH_MAX}, behind its length in 2 bytes. */
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
    };

    /** The most bytes of a text that {@link #TOP} tells apart: 384 texts with their counts make 54 KiB, less than half a chunk. */
    static final int TEXT_LENGTH_MAX = 128;

    /** The longest image: of {@link #TOP} 384 x (128 + 12) bytes; of the others 36 KiB at most. */
    public static final int IMAGE_LENGTH_MAX = 56 << 10;

    /** Tells integers that no double equals from the bits of doubles. */
    private static final long NO_DOUBLE = 0x9E3779B97F4A7C15L;

    /**
     * Bytes of the item that a value makes.
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
     * @param to where it is written, at index {@code at}
     * @param n index of the field
     * @param type {@link FieldType#code()} of the field
     * @param text index of the text in the record's buffer, when the value is one
     */
    @HotPath
    public abstract void putItem(MutableDirectBuffer to, int at, RecordFlyweight record, int n, int type, int text);

    /** A sketch that has taken nothing. */
    public abstract Sketch create();

    /** The sketch that an image was made of. */
    public abstract Sketch read(byte[] image);

    /** Equal for equal numbers, whatever their type: 1 and 1.0, 0.0 and -0.0. */
    private static long ofNumber(RecordFlyweight record, int n, int type) {
        long bits = record.bits(n);
        double value = record.asDouble(n, type);
        boolean isExact = type == FieldType.DOUBLE.code() || (bits == (long) value && bits != Long.MAX_VALUE);
        return isExact ? Double.doubleToRawLongBits(value + 0.0) : bits ^ NO_DOUBLE;
    }
}
