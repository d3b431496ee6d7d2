package io.chimera.common.channel.netty.http;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Decompresses Snappy's block format: the plain length as a varint, then elements. The two low bits of the first byte
 * of an element have its kind:
 *
 * <pre>
 *   0 literal   length - 1 in the upper 6 bits, or in the next 1 to 4 bytes for 60 to 63; then the bytes
 *   1 copy      length 4 to 11, distance of 11 bits: 3 upper bits, and the next byte
 *   2 copy      length 1 to 64 in the upper 6 bits, distance in the next 2 bytes
 *   3 copy      length 1 to 64 in the upper 6 bits, distance in the next 4 bytes
 * </pre>
 *
 * <p>Every length and distance is compared with the rest of both arrays before use. Allocates nothing.
 */
final class SnappyBlock {
    /** Begins a framed stream, the other format of Snappy; as a block these bytes are always corrupt. */
    private static final byte[] STREAM = {(byte) 0xFF, 6, 0, 0, 's', 'N', 'a', 'P', 'p', 'Y'};

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);

    private static final int CORRUPT = -1;
    private static final int PREAMBLE_BYTES_MAX = 5;
    private static final int LITERAL_IN_TAG_MAX = 59;
    private static final int COPY_LENGTH_MAX = 64;
    private static final int LITERAL = 0;
    private static final int COPY_1 = 1;
    private static final int COPY_2 = 2;

    private SnappyBlock() {}

    /** Returns whether bytes begin a framed stream. */
    static boolean isStream(byte[] block, int length) {
        if (length < STREAM.length) {
            return false;
        }
        for (int i = 0; i < STREAM.length; i++) {
            if (block[i] != STREAM[i]) {
                return false;
            }
        }
        return true;
    }

    /** Returns the announced plain length, up to 2^32 - 1; -1 without a valid length. */
    static long lengthOf(byte[] block, int length) {
        long result = 0;
        for (int i = 0; i < Math.min(length, PREAMBLE_BYTES_MAX); i++) {
            result |= (block[i] & 0x7FL) << (7 * i);
            if (block[i] >= 0) {
                return result > 0xFFFF_FFFFL ? CORRUPT : result;
            }
        }
        return CORRUPT;
    }

    /** Returns an upper bound of the plain length of a block: the densest element has 3 bytes for a copy of 64. */
    static long plainLengthMax(int length) {
        return length * (COPY_LENGTH_MAX / 3 + 1L);
    }

    /**
     * Decompresses a block with a valid length.
     *
     * @param target array with at least the announced length
     * @param plainLength announced length
     * @return false for a corrupt block; the content of the target is then undefined
     */
    static boolean unpack(byte[] block, int length, byte[] target, int plainLength) {
        int in = 0;
        while (block[in++] < 0) {
            // skips the announced length
        }
        int out = 0;
        while (in < length) {
            int tag = block[in] & 0xFF;
            if ((tag & 3) == LITERAL) {
                int extra = Math.max(0, (tag >>> 2) - LITERAL_IN_TAG_MAX);
                if (length - in <= extra) {
                    return false;
                }
                long count = 1 + (extra == 0 ? tag >>> 2 : littleEndian(block, in + 1, extra));
                in += 1 + extra;
                if (count > length - in || count > plainLength - out) {
                    return false;
                }
                copyLiteral(block, in, target, out, (int) count);
                in += (int) count;
                out += (int) count;
            } else {
                int extra = (tag & 3) == COPY_1 ? 1 : (tag & 3) == COPY_2 ? 2 : Integer.BYTES;
                if (length - in <= extra) {
                    return false;
                }
                int count = (tag & 3) == COPY_1 ? 4 + (tag >>> 2 & 7) : 1 + (tag >>> 2);
                long distance = littleEndian(block, in + 1, extra) | ((tag & 3) == COPY_1 ? (tag & 0xE0L) << 3 : 0);
                in += 1 + extra;
                if (distance == 0 || distance > out || count > plainLength - out) {
                    return false;
                }
                copyBack(target, out, (int) distance, count);
                out += count;
            }
        }
        return out == plainLength;
    }

    private static long littleEndian(byte[] bytes, int offset, int count) {
        long result = 0;
        for (int i = 0; i < count; i++) {
            result |= (bytes[offset + i] & 0xFFL) << (Byte.SIZE * i);
        }
        return result;
    }

    /** Copies a literal, a short one as two words where both arrays are long enough. */
    private static void copyLiteral(byte[] source, int from, byte[] target, int to, int count) {
        int reach = 2 * Long.BYTES;
        if (count <= reach && source.length - from >= reach && target.length - to >= reach) {
            LONGS.set(target, to, (long) LONGS.get(source, from));
            LONGS.set(target, to + Long.BYTES, (long) LONGS.get(source, from + Long.BYTES));
        } else {
            System.arraycopy(source, from, target, to, count);
        }
    }

    /** Repeats earlier output; with a distance below the count, the copied bytes are part of the source. */
    private static void copyBack(byte[] target, int to, int distance, int count) {
        if (distance >= count) {
            if (count <= 2 * Long.BYTES && distance >= Long.BYTES && target.length - to >= 2 * Long.BYTES) {
                LONGS.set(target, to, (long) LONGS.get(target, to - distance));
                LONGS.set(target, to + Long.BYTES, (long) LONGS.get(target, to + Long.BYTES - distance));
            } else {
                System.arraycopy(target, to - distance, target, to, count);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            target[to + i] = target[to + i - distance];
        }
    }
}
