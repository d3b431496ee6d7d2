package io.chimera.archive.query.condition;

import io.chimera.api.HotPath;
import java.nio.ByteOrder;
import org.agrona.UnsafeApi;
import org.jspecify.annotations.Nullable;

/** Reads numbers in network order from memory or an array. The caller has checked the bounds. */
public final class FrameBytes {
    private static final boolean IS_LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private FrameBytes() {}

    @HotPath
    public static int u8(byte @Nullable [] array, long address) {
        return UnsafeApi.getByte(array, address) & 0xFF;
    }

    @HotPath
    public static int u16(byte @Nullable [] array, long address) {
        short value = UnsafeApi.getShort(array, address);
        return (IS_LITTLE_ENDIAN ? Short.reverseBytes(value) : value) & 0xFFFF;
    }

    @HotPath
    public static int u32(byte @Nullable [] array, long address) {
        int value = UnsafeApi.getInt(array, address);
        return IS_LITTLE_ENDIAN ? Integer.reverseBytes(value) : value;
    }

    /** Returns the length of an IPv4 header, read from the first byte of the header. */
    @HotPath
    public static int headerLength(byte @Nullable [] array, long address) {
        return (UnsafeApi.getByte(array, address) & 0xF) << 2;
    }
}
