package io.chimera.flow.packet;

import io.chimera.api.HotPath;
import java.nio.ByteOrder;
import org.agrona.UnsafeApi;

/**
 * Captured bytes of one packet, read by address. Callers must check {@link #has} before each read. Assertions enforce
 * the check in tests and fuzzers and cost nothing in production.
 */
final class PacketBytes {
    private static final boolean IS_LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private long address;
    private int end;

    @HotPath
    void wrap(long newAddress, int captured) {
        address = newAddress;
        end = captured;
    }

    /** Returns whether {@code length} bytes were captured from an index on; the index must not exceed the end. */
    @HotPath
    boolean has(int at, int length) {
        return end - at >= length;
    }

    /** Moves the end of the packet forward, to exclude padding. */
    @HotPath
    void endAt(int newEnd) {
        end = Math.min(end, newEnd);
    }

    @HotPath
    int u8(int at) {
        assert isInside(at, 1);
        return UnsafeApi.getByte(address + at) & 0xFF;
    }

    @HotPath
    int u16(int at) {
        assert isInside(at, 2);
        short value = UnsafeApi.getShort(address + at);
        return (IS_LITTLE_ENDIAN ? Short.reverseBytes(value) : value) & 0xFFFF;
    }

    @HotPath
    int u32(int at) {
        assert isInside(at, 4);
        int value = UnsafeApi.getInt(address + at);
        return IS_LITTLE_ENDIAN ? Integer.reverseBytes(value) : value;
    }

    /** Copies 4 bytes unchanged. */
    @HotPath
    void copy4(int at, long target) {
        assert isInside(at, 4);
        UnsafeApi.putInt(target, UnsafeApi.getInt(address + at));
    }

    /** Copies 16 bytes unchanged. */
    @HotPath
    void copy16(int at, long target) {
        assert isInside(at, 16);
        UnsafeApi.putLong(target, UnsafeApi.getLong(address + at));
        UnsafeApi.putLong(target + 8, UnsafeApi.getLong(address + at + 8));
    }

    private boolean isInside(int at, int length) {
        return at >= 0 && end - at >= length;
    }
}
