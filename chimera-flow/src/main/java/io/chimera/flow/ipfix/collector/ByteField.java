package io.chimera.flow.ipfix.collector;

import io.chimera.api.HotPath;

/** Reads big-endian numbers from a byte array. The caller has checked that the bytes lie in the array. */
public final class ByteField {
    private ByteField() {}

    @HotPath
    static int u8(byte[] bytes, int at) {
        return bytes[at] & 0xFF;
    }

    @HotPath
    static int u16(byte[] bytes, int at) {
        return ((bytes[at] & 0xFF) << 8) | (bytes[at + 1] & 0xFF);
    }

    @HotPath
    public static long u32(byte[] bytes, int at) {
        return ((long) u16(bytes, at) << 16) | u16(bytes, at + 2);
    }

    /**
     * Reads an unsigned number of 0 to 8 bytes. An exporter may omit leading zero bytes (reduced-size encoding, RFC
     * 7011, 6.2).
     */
    @HotPath
    static long unsigned(byte[] bytes, int at, int length) {
        long value = 0;
        for (int i = 0; i < length; i++) {
            value = (value << 8) | (bytes[at + i] & 0xFF);
        }
        return value;
    }

    @HotPath
    static boolean isZero(byte[] bytes, int at, int length) {
        for (int i = 0; i < length; i++) {
            if (bytes[at + i] != 0) {
                return false;
            }
        }
        return true;
    }
}
