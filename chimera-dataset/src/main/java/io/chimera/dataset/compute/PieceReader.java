package io.chimera.dataset.compute;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Reads pieces of any number of files into one buffer, which has the length of the longest piece so far. One thread.
 */
final class PieceReader {
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();

    /**
     * Reads a piece.
     *
     * @param file file of the piece
     * @param piece a piece of the file
     * @return buffer with the piece at index 0, valid until the next call
     * @throws IOException when the file cannot be read, or the bytes differ from the written ones
     */
    DirectBuffer read(PieceBytes file, Piece piece) throws IOException {
        buffer.checkLimit(piece.length());
        file.read(piece.offset(), ByteBuffer.wrap(buffer.byteArray(), 0, piece.length()));
        CRC32C crc = new CRC32C();
        crc.update(buffer.byteArray(), 0, piece.length());
        if ((int) crc.getValue() != piece.crc32c()) {
            throw file.damaged();
        }
        return buffer;
    }
}
