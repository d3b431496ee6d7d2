package io.chimera.dataset.format.codec;

import java.io.IOException;

/**
 * Recognizes frames of zstd.
 *
 * @param windowBytesMax largest window of a frame in bytes
 */
record ZstdFrameProbe(long windowBytesMax) implements FrameProbe {
    private static final int BLOCK_BYTES_MAX = 128 << 10;
    private static final int BLOCK_HEADER_BYTES = 3;

    /** Type of a block with one byte that is repeated. */
    private static final int REPEATED = 1;

    private static final int RESERVED = 3;

    @Override
    public int magic() {
        return ZstdFrameHeader.MAGIC;
    }

    @Override
    public boolean isFrame(ObjectPieces pieces, long offset) throws IOException {
        int available = pieces.read(offset, ZstdFrameHeader.LENGTH_MAX);
        ZstdFrameHeader header = ZstdFrameHeader.parse(pieces.piece(), 0, available);
        if (header == null || !header.fits(windowBytesMax)) {
            return false;
        }
        long at = offset + header.length();
        for (int i = 0; i < BLOCKS; i++) {
            if (pieces.read(at, BLOCK_HEADER_BYTES) < BLOCK_HEADER_BYTES) {
                return false;
            }
            int block = pieces.piece().getInt(0) & 0xFFFFFF;
            int type = (block >>> 1) & 3;
            int size = block >>> 3;
            if (type == RESERVED || size > BLOCK_BYTES_MAX) {
                return false;
            }
            at += BLOCK_HEADER_BYTES + (type == REPEATED ? 1 : size);
            if ((block & 1) != 0) {
                return pieces.isAfterFrame(at + (header.hasChecksum() ? Integer.BYTES : 0), magic());
            }
        }
        return at < pieces.length();
    }
}
