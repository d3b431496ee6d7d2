package io.chimera.dataset.format.codec;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Decodes the frames of a compression one after another. Skippable frames have no content. One thread. */
interface FrameDecoder extends AutoCloseable {
    /**
     * Reads the header of a frame.
     *
     * @param in stands at the first byte of the frame, and has at least one byte
     */
    void begin(CompressedInput in) throws IOException;

    /**
     * Decodes some content of the frame.
     *
     * @param in stands after the bytes of the previous call
     * @param into receives content; has room for at least one byte, and an array
     * @return number of bytes, at least 1; -1 at the end of the frame: the input stands after the frame
     */
    int decode(CompressedInput in, ByteBuffer into) throws IOException;

    @Override
    void close();
}
