package io.chimera.dataset.format.text;

/** The byte order mark of UTF-8, which some programs write in front of a text. */
final class ByteOrderMark {
    /** Number of bytes. */
    static final int LENGTH = 3;

    private ByteOrderMark() {}

    static boolean begins(byte[] bytes, int offset, int length) {
        return length >= LENGTH
                && bytes[offset] == (byte) 0xEF
                && bytes[offset + 1] == (byte) 0xBB
                && bytes[offset + 2] == (byte) 0xBF;
    }
}
