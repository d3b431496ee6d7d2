package io.chimera.dataset.format.codec;

import java.io.IOException;

/**
 * Recognizes the first bytes of a frame. A frame is always recognized if it is whole and within the limits; other bytes
 * are recognized by chance less than once in 10^15 positions.
 */
interface FrameProbe {
    /** Number of headers of blocks that a probe follows. */
    int BLOCKS = 4;

    /** Magic number of a frame with content, read as a little-endian number. */
    int magic();

    /**
     * Checks the header of a frame, and the headers of its first {@link #BLOCKS} blocks.
     *
     * @param pieces reads the object
     * @param offset offset of the magic number
     */
    boolean isFrame(ObjectPieces pieces, long offset) throws IOException;
}
