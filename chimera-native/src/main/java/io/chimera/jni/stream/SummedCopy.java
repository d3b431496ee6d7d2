package io.chimera.jni.stream;

import io.chimera.api.HotPath;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Copies bytes to memory that a device is to write, and sums them up: in one pass where there is the native library and the
 * processor has AVX2, otherwise one after the other. One thread.
 */
public final class SummedCopy {
    /** The way to the native library and back takes as long as this. */
    private static final int NATIVE_BYTES_MIN = 512;

    private static final boolean IS_NATIVE = DeviceLibrary.isLoaded() && prepare();

    private final CRC32C crc = new CRC32C();

    /** Holds nothing. */
    public SummedCopy() {}

    /**
     * Copies.
     *
     * @param to outside the heap, over a byte buffer
     * @return CRC32C of the bytes
     */
    @HotPath
    public int copy(MutableDirectBuffer to, int toOffset, DirectBuffer from, int offset, int length) {
        if (IS_NATIVE && length >= NATIVE_BYTES_MIN && from.byteArray() == null) {
            to.boundsCheck(toOffset, length);
            from.boundsCheck(offset, length);
            return crc32c(to.addressOffset() + toOffset, from.addressOffset() + offset, length);
        }
        to.putBytes(toOffset, from, offset, length);
        var bytes = to.byteBuffer();
        int begin = to.wrapAdjustment() + toOffset;
        bytes.limit(begin + length).position(begin);
        crc.reset();
        crc.update(bytes);
        bytes.clear();
        return (int) crc.getValue();
    }

    /** Asks for large pages below memory, which spares work with every write. */
    static void enlargePages(MutableDirectBuffer memory) {
        if (IS_NATIVE) {
            enlargePages(memory.addressOffset(), memory.capacity());
        }
    }

    private static native boolean prepare();

    @HotPath
    private static native int crc32c(long to, long from, int bytes);

    private static native void enlargePages(long memory, long bytes);
}
