package io.chimera.common.wire;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;

/** Computes CRC32C checksums over Agrona buffers of any backing memory. */
public final class Checksums {
    private Checksums() {}

    /**
     * Computes the checksum of a range.
     *
     * @param crc checksum instance, owned and reused by the caller
     * @param buffer over an array or a {@link ByteBuffer}
     * @param offset index of the first byte
     * @param length number of bytes
     * @return the CRC32C
     */
    public static int crc32c(CRC32C crc, DirectBuffer buffer, int offset, int length) {
        buffer.boundsCheck(offset, length);
        crc.reset();
        if (buffer.byteArray() != null) {
            crc.update(buffer.byteArray(), buffer.wrapAdjustment() + offset, length);
        } else {
            ByteBuffer bytes = buffer.byteBuffer();
            int limit = bytes.limit();
            int position = bytes.position();
            int start = buffer.wrapAdjustment() + offset;
            bytes.limit(start + length).position(start);
            crc.update(bytes);
            bytes.limit(limit).position(position);
        }
        return (int) crc.getValue();
    }
}
