package io.chimera.dataset.compute;

import java.io.IOException;
import org.agrona.DirectBuffer;

/**
 * Place of a piece in its file.
 *
 * @param pipeline ordinal of the pipeline
 * @param startNs start of the window, nanoseconds since 1970
 * @param offset offset of the first byte in the file
 * @param length length in bytes
 * @param crc32c checksum of the bytes
 */
public record Piece(int pipeline, long startNs, long offset, int length, int crc32c) {
    /** Reads pieces of one file. */
    public interface Reader {
        /**
         * Reads a piece.
         *
         * @param piece a piece of the file
         * @return buffer with the piece at index 0, valid until the next call
         * @throws IOException when the file cannot be read, or the bytes differ from the written ones
         */
        DirectBuffer read(Piece piece) throws IOException;
    }
}
