package io.chimera.bench.load;

import java.nio.ByteBuffer;

/** Makes the bodies of requests. Any thread. */
@FunctionalInterface
public interface BodySource {
    /** The body of a number: whole lines, for the caller alone. */
    ByteBuffer body(long number);

    /**
     * Bodies that lie one behind the other in a text, again and again.
     *
     * @param text is copied
     * @param bodyLength bytes of each
     */
    static BodySource repeating(byte[] text, int bodyLength) {
        int bodies = text.length / bodyLength;
        ByteBuffer all = ByteBuffer.allocateDirect(text.length).put(text);
        return number -> all.slice((int) (number % bodies) * bodyLength, bodyLength);
    }
}
