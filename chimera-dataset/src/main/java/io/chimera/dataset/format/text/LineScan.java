package io.chimera.dataset.format.text;

import io.chimera.api.HotPath;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Searches bytes eight at a time. A byte that is equal to the wanted byte becomes zero by XOR, and a zero is found. */
final class LineScan {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long TOPS = 0x8080808080808080L;

    private LineScan() {}

    /** Returns the index of the first wanted byte, an ASCII character; {@code to} without one. */
    @HotPath
    static int indexOf(byte[] bytes, int from, int to, char wanted) {
        long pattern = wanted * ONES;
        int i = from;
        for (; i <= to - Long.BYTES; i += Long.BYTES) {
            long word = (long) LONGS.get(bytes, i) ^ pattern;
            long zeros = (word - ONES) & ~word & TOPS;
            if (zeros != 0) {
                // the lowest mark is right; a mark above it may come from a borrow
                return i + (Long.numberOfTrailingZeros(zeros) >>> 3);
            }
        }
        while (i < to && bytes[i] != wanted) {
            i++;
        }
        return i;
    }

    /** Returns the index of the last line feed; -1 without one. */
    @HotPath
    static int lastLineFeed(byte[] bytes, int from, int to) {
        int i = to - 1;
        while (i >= from && bytes[i] != '\n') {
            i--;
        }
        return i < from ? -1 : i;
    }

    /** Returns whether all bytes are ASCII. */
    @HotPath
    static boolean isAscii(byte[] bytes, int from, int to) {
        long all = 0;
        int i = from;
        for (; i <= to - Long.BYTES; i += Long.BYTES) {
            all |= (long) LONGS.get(bytes, i);
        }
        for (; i < to; i++) {
            all |= bytes[i];
        }
        return (all & TOPS) == 0;
    }
}
