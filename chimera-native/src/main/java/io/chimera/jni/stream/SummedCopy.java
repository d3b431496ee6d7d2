package io.chimera.jni.stream;

import io.chimera.api.HotPath;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Copies bytes to write buffers of a device and computes their checksum: in one pass with the native library and AVX2,
 * otherwise in two passes. Used by one thread.
 */
public final class SummedCopy {
    /** Minimum length for the native function; the JNI call costs as much as a copy of this length. */
    private static final int NATIVE_BYTES_MIN = 512;

    private static final boolean IS_NATIVE = DeviceLibrary.isLoaded() && prepare();

    private final CRC32C crc = new CRC32C();

    /** Creates a copier. */
    public SummedCopy() {}

    /**
     * Copies bytes.
     *
     * @param to off-heap buffer backed by a byte buffer
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

    /** Requests huge pages for memory, which reduces the cost of every write. */
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
