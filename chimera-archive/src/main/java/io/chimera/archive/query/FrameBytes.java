package io.chimera.archive.query;

import io.chimera.api.HotPath;
import java.nio.ByteOrder;
import org.agrona.UnsafeApi;

/** Numbers in network order, in memory or in an array. Who reads has checked that they are there. */
final class FrameBytes {
    private static final boolean IS_LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private FrameBytes() {}

    @HotPath
    static int u8(byte[] array, long address) {
        return UnsafeApi.getByte(array, address) & 0xFF;
    }

    @HotPath
    static int u16(byte[] array, long address) {
        short value = UnsafeApi.getShort(array, address);
        return (IS_LITTLE_ENDIAN ? Short.reverseBytes(value) : value) & 0xFFFF;
    }

    @HotPath
    static int u32(byte[] array, long address) {
        int value = UnsafeApi.getInt(array, address);
        return IS_LITTLE_ENDIAN ? Integer.reverseBytes(value) : value;
    }

    /** Bytes of the IPv4 header whose first byte it is, as it says itself. */
    @HotPath
    static int headerLength(byte[] array, long address) {
        return (UnsafeApi.getByte(array, address) & 0xF) << 2;
    }
}
