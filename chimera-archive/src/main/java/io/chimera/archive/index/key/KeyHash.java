package io.chimera.archive.index.key;

import io.chimera.api.HotPath;
import org.agrona.DirectBuffer;

/**
 * Hashes of key values, shared by the writer and the searches of the index. The hashes are stored, so the functions
 * must never change. Hashes of a single long are one-to-one.
 */
public final class KeyHash {
    private static final long FIRST = 0x9E37_79B9_7F4A_7C15L;
    private static final long SECOND = 0xD6E8_FEB8_6659_FD93L;

    private KeyHash() {}

    /** Hashes a number: a port, an IPv4 address, a prefix. */
    @HotPath
    public static long of(long value) {
        return mix(value * FIRST);
    }

    /** Hashes two numbers: an IPv6 address. */
    @HotPath
    public static long of(long first, long second) {
        return mix(mix(first * FIRST) + second * SECOND);
    }

    /** Hashes three numbers: the 5-tuple of IPv4 as addresses, ports, protocol. */
    @HotPath
    public static long of(long first, long second, long third) {
        return mix(mix(mix(first * FIRST) + second * SECOND) + third * SECOND);
    }

    /** Hashes bytes: the value of a tag. */
    @HotPath
    public static long of(DirectBuffer bytes, int offset, int length) {
        long hash = length * FIRST;
        int at = offset;
        for (int end = offset + length - Long.BYTES; at <= end; at += Long.BYTES) {
            hash = mix(hash + bytes.getLong(at) * SECOND);
        }
        long rest = 0;
        for (int end = offset + length; at < end; at++) {
            rest = (rest << Byte.SIZE) | (bytes.getByte(at) & 0xFF);
        }
        return mix(hash + rest * SECOND);
    }

    /** Mixes a number one-to-one; every bit of the result depends on every bit of the number. */
    @HotPath
    static long mix(long bits) {
        long mixed = (bits ^ bits >>> 32) * SECOND;
        return mixed ^ mixed >>> 29;
    }
}
