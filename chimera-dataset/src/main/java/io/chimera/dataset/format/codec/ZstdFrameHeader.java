package io.chimera.dataset.format.codec;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Header of a zstd frame (RFC 8878, section 3.1.1.1): magic number, descriptor, window, dictionary id, content size.
 *
 * @param length length of the header with the magic number in bytes
 * @param windowBytes window that the decoder needs; the content size for a frame of one segment
 * @param dictionaryId id of the dictionary; 0 without a dictionary
 * @param hasChecksum whether four bytes of checksum follow the last block
 */
record ZstdFrameHeader(int length, long windowBytes, long dictionaryId, boolean hasChecksum) {
    static final int MAGIC = 0xFD2FB528;

    /** Maximum length of a header. */
    static final int LENGTH_MAX = 18;

    private static final int[] DICTIONARY_BYTES = {0, 1, 2, 4};

    /**
     * Parses a header.
     *
     * @param buffer little-endian buffer
     * @param at index of the magic number
     * @param available number of bytes from the index on
     * @return null when the bytes are no header, or not a whole one
     */
    static @Nullable ZstdFrameHeader parse(ByteBuffer buffer, int at, int available) {
        if (available < 5 || buffer.getInt(at) != MAGIC) {
            return null;
        }
        int descriptor = buffer.get(at + 4) & 0xFF;
        if ((descriptor & 0x08) != 0) {
            return null; // reserved bit
        }
        boolean isSingleSegment = (descriptor & 0x20) != 0;
        int dictionaryBytes = DICTIONARY_BYTES[descriptor & 3];
        int sizeCode = descriptor >>> 6;
        int sizeBytes = sizeCode == 0 ? (isSingleSegment ? 1 : 0) : 1 << sizeCode;
        int dictionaryAt = at + 5 + (isSingleSegment ? 0 : 1);
        int length = dictionaryAt - at + dictionaryBytes + sizeBytes;
        if (available < length) {
            return null;
        }
        long window = isSingleSegment
                ? contentSize(buffer, dictionaryAt + dictionaryBytes, sizeBytes)
                : window(buffer.get(at + 5) & 0xFF);
        return new ZstdFrameHeader(
                length, window, number(buffer, dictionaryAt, dictionaryBytes), (descriptor & 0x04) != 0);
    }

    private static long window(int code) {
        long base = 1L << (10 + (code >>> 3));
        return base + base / 8 * (code & 7);
    }

    private static long contentSize(ByteBuffer buffer, int at, int bytes) {
        long size = number(buffer, at, bytes);
        return bytes == 2 ? size + 256 : size;
    }

    private static long number(ByteBuffer buffer, int at, int bytes) {
        return switch (bytes) {
            case 0 -> 0;
            case 1 -> buffer.get(at) & 0xFF;
            case 2 -> buffer.getShort(at) & 0xFFFF;
            case 4 -> buffer.getInt(at) & 0xFFFFFFFFL;
            default -> buffer.getLong(at);
        };
    }

    /** Returns whether the window fits a limit; a size above 2^63 counts as negative. */
    boolean fits(long windowBytesMax) {
        return windowBytes >= 0 && windowBytes <= windowBytesMax;
    }
}
