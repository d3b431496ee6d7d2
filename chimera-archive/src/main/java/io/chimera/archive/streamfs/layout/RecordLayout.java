package io.chimera.archive.streamfs.layout;

import static io.chimera.archive.streamfs.layout.VolumeLayout.RECORD_ALIGNMENT;
import static io.chimera.archive.streamfs.layout.VolumeLayout.RECORD_HEADER_LENGTH;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.common.wire.Checksums;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Layout of a record header, drawn in {@link VolumeLayout}. A header certifies itself: position, block and volume. */
public final class RecordLayout {
    private static final int LENGTH = 0;
    private static final int CRC = 4;
    private static final int STREAM = 8;
    private static final int EPOCH = 12;
    private static final int NUMBER = 16;
    private static final int TIME = 24;
    private static final int MAC = 32;
    private static final int MAC_WORDS = 4;

    private RecordLayout() {}

    /** Returns the bytes in the block for a record with the given payload length. */
    public static int stride(int length) {
        return VolumeLayout.alignUp(RECORD_HEADER_LENGTH + length, RECORD_ALIGNMENT);
    }

    /**
     * Writes a header before an existing payload.
     *
     * @param sum CRC32C of the payload
     * @param at index in the buffer, and offset in the block
     * @return the MAC
     */
    @HotPath
    public static long write(
            SipHash hash,
            MutableDirectBuffer buffer,
            int at,
            int length,
            int sum,
            int stream,
            int epoch,
            long block,
            long number,
            long timeNs) {
        buffer.putInt(at + LENGTH, length, LITTLE_ENDIAN);
        buffer.putInt(at + CRC, sum, LITTLE_ENDIAN);
        buffer.putInt(at + STREAM, stream, LITTLE_ENDIAN);
        buffer.putInt(at + EPOCH, epoch, LITTLE_ENDIAN);
        buffer.putLong(at + NUMBER, number, LITTLE_ENDIAN);
        buffer.putLong(at + TIME, timeNs, LITTLE_ENDIAN);
        long mac = hash.of(buffer, at, MAC_WORDS, block, at);
        buffer.putLong(at + MAC, mac, LITTLE_ENDIAN);
        return mac;
    }

    /**
     * Returns true if a header is genuine and its record ends before a limit.
     *
     * @param at index in the buffer
     * @param limit end index of the available bytes
     * @param offset in the block
     */
    public static boolean isGenuine(
            SipHash hash, DirectBuffer buffer, int at, int limit, int stream, long block, int offset) {
        if (at + RECORD_HEADER_LENGTH > limit) {
            return false;
        }
        int length = length(buffer, at);
        return length > 0
                && length <= limit - at - RECORD_HEADER_LENGTH
                && buffer.getInt(at + STREAM, LITTLE_ENDIAN) == stream
                && mac(buffer, at) == hash.of(buffer, at, MAC_WORDS, block, offset);
    }

    /** Returns true if the payload matches its checksum. */
    public static boolean isWhole(CRC32C crc, DirectBuffer buffer, int at) {
        int found = Checksums.crc32c(crc, buffer, at + RECORD_HEADER_LENGTH, length(buffer, at));
        return found == buffer.getInt(at + CRC, LITTLE_ENDIAN);
    }

    public static int length(DirectBuffer buffer, int at) {
        return buffer.getInt(at + LENGTH, LITTLE_ENDIAN);
    }

    static int stream(DirectBuffer buffer, int at) {
        return buffer.getInt(at + STREAM, LITTLE_ENDIAN);
    }

    static int epoch(DirectBuffer buffer, int at) {
        return buffer.getInt(at + EPOCH, LITTLE_ENDIAN);
    }

    public static long number(DirectBuffer buffer, int at) {
        return buffer.getLong(at + NUMBER, LITTLE_ENDIAN);
    }

    public static long timeNs(DirectBuffer buffer, int at) {
        return buffer.getLong(at + TIME, LITTLE_ENDIAN);
    }

    public static long mac(DirectBuffer buffer, int at) {
        return buffer.getLong(at + MAC, LITTLE_ENDIAN);
    }
}
