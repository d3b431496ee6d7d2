package io.chimera.dataset.format.codec;

import java.nio.ByteBuffer;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;
import org.jspecify.annotations.Nullable;

/**
 * Header of an LZ4 frame, version 1: magic number, flags, block descriptor, optional content size and dictionary id,
 * one byte of checksum.
 *
 * @param length length of the header with the magic number in bytes
 * @param isLinked whether a block refers to the 64 KiB of content before it
 * @param hasBlockChecksum whether four bytes of checksum follow each block
 * @param hasContentChecksum whether four bytes of checksum follow the end mark
 * @param hasDictionary whether the frame needs a dictionary
 * @param contentSize declared number of bytes of content; -1 without a declaration
 * @param blockBytesMax maximum length of the content of a block: 64 KiB, 256 KiB, 1 MiB or 4 MiB
 */
record Lz4FrameHeader(
        int length,
        boolean isLinked,
        boolean hasBlockChecksum,
        boolean hasContentChecksum,
        boolean hasDictionary,
        long contentSize,
        int blockBytesMax) {
    static final int MAGIC = 0x184D2204;

    /** Magic number of the frames before version 1. */
    static final int MAGIC_LEGACY = 0x184C2102;

    /** Maximum length of a header. */
    static final int LENGTH_MAX = 19;

    private static final int LENGTH_MIN = 7;
    private static final XXHash32 HASH = XXHashFactory.fastestInstance().hash32();

    /**
     * Parses a header and checks its checksum.
     *
     * @param buffer little-endian buffer
     * @param at index of the magic number
     * @param available number of bytes from the index on
     * @return null when the bytes are no header, or not a whole one
     */
    static @Nullable Lz4FrameHeader parse(ByteBuffer buffer, int at, int available) {
        if (available < LENGTH_MIN || buffer.getInt(at) != MAGIC) {
            return null;
        }
        int flags = buffer.get(at + 4);
        int descriptor = buffer.get(at + 5);
        int sizeCode = (descriptor >>> 4) & 7;
        if ((flags & 0xC2) != 0x40 || (descriptor & 0x8F) != 0 || sizeCode < 4) {
            return null; // another version, a reserved bit, or a reserved size
        }
        boolean hasSize = (flags & 0x08) != 0;
        boolean hasDictionary = (flags & 0x01) != 0;
        int length = LENGTH_MIN + (hasSize ? Long.BYTES : 0) + (hasDictionary ? Integer.BYTES : 0);
        if (available < length || checksum(buffer, at, length) != buffer.get(at + length - 1)) {
            return null;
        }
        return new Lz4FrameHeader(
                length,
                (flags & 0x20) == 0,
                (flags & 0x10) != 0,
                (flags & 0x04) != 0,
                hasDictionary,
                hasSize ? buffer.getLong(at + 6) : -1,
                1 << (8 + 2 * sizeCode));
    }

    private static byte checksum(ByteBuffer buffer, int at, int length) {
        byte[] covered = new byte[length - Integer.BYTES - 1];
        buffer.get(at + Integer.BYTES, covered);
        return (byte) (hash(covered, covered.length) >>> 8);
    }

    /** Returns the checksum of the first bytes of an array, as blocks and headers store it. */
    static int hash(byte[] bytes, int length) {
        return HASH.hash(bytes, 0, length, 0);
    }
}
