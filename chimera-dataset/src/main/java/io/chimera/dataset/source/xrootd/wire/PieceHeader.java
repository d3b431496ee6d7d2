package io.chimera.dataset.source.xrootd.wire;

import java.nio.ByteBuffer;

/**
 * Header of one range in a vector read, the same in request and answer: handle (4 bytes), length (4), offset (8).
 *
 * @param handle handle of the open file
 * @param length length of the range in bytes
 * @param offset offset of the first byte in the file
 */
public record PieceHeader(int handle, int length, long offset) {
    /** Length of a header in bytes. */
    public static final int BYTES = 16;

    /** Maximum number of ranges in a request. */
    public static final int PIECES_MAX = 1_024;

    /** Maximum length of a range in bytes: 2 MiB, less its header. */
    public static final int LENGTH_MAX = 2 * 1024 * 1024 - BYTES;

    /**
     * Decodes a header.
     *
     * @param in a buffer with at least {@link #BYTES} bytes; its position moves
     */
    public static PieceHeader decode(ByteBuffer in) {
        return new PieceHeader(in.getInt(), in.getInt(), in.getLong());
    }

    void encode(ByteBuffer out) {
        out.putInt(handle).putInt(length).putLong(offset);
    }
}
