package io.chimera.dataset.format.codec;

import java.io.IOException;

/**
 * Skippable frames, which zstd and lz4 share: magic number 0x184D2A50 to 0x184D2A5F, length as an unsigned 32-bit
 * number, bytes of any content. All numbers are little-endian.
 */
final class SkippableFrame {
    /** Length of magic number and length. */
    static final int HEADER_BYTES = 8;

    private static final int MAGIC = 0x184D2A50;
    private static final int MAGIC_MASK = 0xFFFFFFF0;

    private SkippableFrame() {}

    static boolean isMagic(int number) {
        return (number & MAGIC_MASK) == MAGIC;
    }

    /** Skips a frame; the input stands at its magic number. */
    static void skip(CompressedInput in) throws IOException {
        in.require(HEADER_BYTES, "skippable frame");
        int at = in.buffer().position();
        in.skip(HEADER_BYTES + (in.buffer().getInt(at + Integer.BYTES) & 0xFFFFFFFFL), "skippable frame");
    }
}
