package io.chimera.bench.load;

import java.nio.ByteBuffer;

/** Source of request bodies. Any thread. */
@FunctionalInterface
public interface BodySource {
    /** Returns the body with a number: whole lines, in a buffer for the caller alone. */
    ByteBuffer body(long number);

    /**
     * Returns consecutive bodies of a text, repeated endlessly.
     *
     * @param text text of all bodies, which is copied
     * @param bodyLength bytes per body
     */
    static BodySource repeating(byte[] text, int bodyLength) {
        int bodies = text.length / bodyLength;
        ByteBuffer all = ByteBuffer.allocateDirect(text.length).put(text);
        return number -> all.slice((int) (number % bodies) * bodyLength, bodyLength);
    }
}
