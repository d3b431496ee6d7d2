package io.chimera.queue.parser.remotewrite;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Sample as written by nearly every sender: value and time in this sequence, and nothing else. Such a sample is read at
 * fixed places, without a reader.
 *
 * <pre>
 *   0    1                 9    10
 *   +----+-----------------+----+------------------+
 *   | 09 | value: double   | 10 | time: varint, ms |
 *   +----+-----------------+----+------------------+
 * </pre>
 */
final class PlainSample {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);

    private static final int VALUE = 1;
    private static final int TIME_TAG = 9;
    private static final int TIME = 10;
    private static final int LENGTH_MAX = TIME + 10;
    private static final byte VALUE_TAG_BYTE = 0x09;
    private static final byte TIME_TAG_BYTE = 0x10;

    private PlainSample() {}

    /** Returns whether a range has this form, which is valid. */
    @HotPath
    static boolean is(byte[] bytes, int from, int end) {
        int length = end - from;
        if (length <= TIME
                || length > LENGTH_MAX
                || bytes[from] != VALUE_TAG_BYTE
                || bytes[from + TIME_TAG] != TIME_TAG_BYTE
                || bytes[end - 1] < 0) {
            return false;
        }
        for (int i = from + TIME; i < end - 1; i++) {
            if (bytes[i] >= 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the bits of the value. */
    @HotPath
    static long bits(byte[] bytes, int from) {
        return (long) LONGS.get(bytes, from + VALUE);
    }

    /** Returns the time in milliseconds. */
    @HotPath
    static long timeMs(byte[] bytes, int from, int end) {
        long timeMs = 0;
        for (int i = end - 1; i >= from + TIME; i--) {
            timeMs = timeMs << 7 | (bytes[i] & 0x7F);
        }
        return timeMs;
    }
}
