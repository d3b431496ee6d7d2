package io.chimera.dataset.compute;

/**
 * Place of a piece in its file.
 *
 * @param pipeline ordinal of the pipeline
 * @param startNs start of the window, nanoseconds since 1970
 * @param offset offset of the first byte in the file
 * @param length length in bytes
 * @param crc32c checksum of the bytes
 */
public record Piece(int pipeline, long startNs, long offset, int length, int crc32c) {}
