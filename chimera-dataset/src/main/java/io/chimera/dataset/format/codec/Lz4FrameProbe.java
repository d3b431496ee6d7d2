package io.chimera.dataset.format.codec;

import java.io.IOException;

/** Recognizes frames of LZ4. */
final class Lz4FrameProbe implements FrameProbe {
    @Override
    public int magic() {
        return Lz4FrameHeader.MAGIC;
    }

    @Override
    public boolean isFrame(ObjectPieces pieces, long offset) throws IOException {
        int available = pieces.read(offset, Lz4FrameHeader.LENGTH_MAX);
        Lz4FrameHeader header = Lz4FrameHeader.parse(pieces.piece(), 0, available);
        if (header == null) {
            return false;
        }
        long at = offset + header.length();
        int checksum = header.hasBlockChecksum() ? Integer.BYTES : 0;
        for (int i = 0; i < BLOCKS; i++) {
            if (pieces.read(at, Integer.BYTES) < Integer.BYTES) {
                return false;
            }
            int size = pieces.piece().getInt(0);
            int length = size & Integer.MAX_VALUE;
            if (size == 0) {
                return pieces.isAfterFrame(
                        at + Integer.BYTES + (header.hasContentChecksum() ? Integer.BYTES : 0), magic());
            }
            if (length == 0 || length > header.blockBytesMax()) {
                return false;
            }
            at += Integer.BYTES + length + checksum;
        }
        return at < pieces.length();
    }
}
